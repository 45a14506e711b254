// plumb: truth=false value-sep=false
// The path reads a string literal at an index from outside: memory that cannot be written is memory.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    const char *word = "plumb";
    unsigned at = __VERIFIER_nondet_uint();
    int state = 0;
    if (at > 4) return 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 0 && word[at] == 'm') state = 3;
        else if (state == 3) reach_error();
    }
    return 0;
}
