// plumb: truth=true kinduction=true
// Parity bit by bit and folded: next to bit operations, the machine's next free address has one value and no type.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char word = __VERIFIER_nondet_uchar(), parity = 0, i = 0;
    while (i < 8) {
        parity ^= (word >> i) & 1;
        i++;
    }
    word ^= word >> 4;
    word ^= word >> 2;
    word ^= word >> 1;
    if ((word & 1) != parity) reach_error();
    return 0;
}
