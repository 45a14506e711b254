// plumb: truth=true bmc=true kinduction=unknown default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}
int main(void) {
    check(factorial(6) == 720);
    return 0;
}
