// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    struct s { char c; double d; };
    check(sizeof(struct s) == 12);
    return 0;
}
