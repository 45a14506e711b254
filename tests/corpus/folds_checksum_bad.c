// plumb: truth=false default=false
// The last byte is lost.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define LENGTH 600
static unsigned char packet[LENGTH];

static unsigned char checksum(void) {
    unsigned char sum = 0x5a;
    for (int i = 0; i < LENGTH; i++) sum ^= packet[i];
    return sum;
}

int main(void) {
    for (int i = 0; i < LENGTH; i++) packet[i] = __VERIFIER_nondet_uchar();
    unsigned char sent = checksum();
    for (int i = 0; i < LENGTH - 1; i++) packet[i] = packet[i + 1];
    packet[LENGTH - 1] = 0;
    if (checksum() != sent) reach_error();
    return 0;
}
