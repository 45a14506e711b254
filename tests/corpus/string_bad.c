// plumb: truth=false bmc=false kinduction=unknown default=false
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
    char s[4];
    for (int i = 0; i < 3; i++)
        s[i] = __VERIFIER_nondet_char();
    s[3] = 0;
    const char *t = "ok!";
    int i = 0;
    while (s[i] && s[i] == t[i])
        i++;
    if (i == 3)
        reach_error();
    return 0;
}
