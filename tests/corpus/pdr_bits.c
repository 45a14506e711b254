// plumb: truth=true default=true pdr=true interval=unknown
// A word of flags: only some patterns of its bits occur, and what is read of them is in the other half of the word.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned short word = 0x00f0;
  while (__VERIFIER_nondet_uchar()) {
    unsigned char flip = __VERIFIER_nondet_uchar() & 0x0f;
    word ^= flip;
    word ^= flip << 4;
    if (__VERIFIER_nondet_uchar() == 7)
      word = (word << 12) | (word >> 12) | (word & 0xf0) | (~word >> 4 & 0x0f);
    word &= 0xff;
    if (((word ^ word >> 4) & 0x0f) != 0x0f)
      reach_error();
  }
  return 0;
}
