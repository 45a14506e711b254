// plumb: truth=true bmc=true kinduction=true default=true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert((x | 1) != 0);
    return 0;
}
