// plumb: truth=true options=--data-model=LP64 bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(int) == 4);
    struct s { char c; double d; };
    check(sizeof(struct s) == 16);
    return 0;
}
