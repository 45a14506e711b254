// plumb: truth=true bmc=true kinduction=true default=true
extern void *calloc(unsigned int, unsigned int);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int *p = calloc(4, sizeof(int));
    check(p[0] == 0 && p[3] == 0);
    return 0;
}
