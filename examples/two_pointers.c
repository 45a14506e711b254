/* Two indexes walk towards each other, as in a partition; they never leave the array and never pass each other by more than one. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    int low = 0, high = n - 1;
    while (low <= high) {
        assert(low >= 0 && high < n);
        if (__VERIFIER_nondet_int())
            low++;
        else
            high--;
    }
    assert(low == high + 1);
    return 0;
}
