// plumb: truth=false bmc=false kinduction=unknown ufo=false ufo-cp=false ufo-bp=false ufo-box=false ufo-oct=false ufo-poly=false cp=false bp=false default=false
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 42);
    return 0;
}
