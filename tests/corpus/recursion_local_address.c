// plumb: truth=true bmc=true kinduction=unknown default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int depth(int n, int *parent) {
    int here = *parent + 1;
    if (n == 0)
        return here;
    return depth(n - 1, &here) + here;
}
int main(void) {
    int zero = 0;
    check(depth(3, &zero) == 4 + 3 + 2 + 1);
    return 0;
}
