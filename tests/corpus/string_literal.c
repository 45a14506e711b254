// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

const char *name(int i) {
    switch (i) {
    case 0: return "zero";
    default: return "other";
    }
}
int main(void) {
    check(name(0)[0] == 'z' && name(5)[4] == 'r' && name(5)[5] == 0);
    check(sizeof "abc" == 4);
    return 0;
}
