// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

static int counter;
int table[4];
int next(void) {
    static int calls;
    return ++calls;
}
int main(void) {
    check(counter == 0 && table[3] == 0);
    next();
    check(next() == 2);
    return 0;
}
