// plumb: truth=false bmc=false kinduction=unknown default=false
#include <assert.h>
void reach_error(void) { assert(0); }
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x * x != 49);
    return 0;
}
