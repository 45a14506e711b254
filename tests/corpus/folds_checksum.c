// plumb: truth=true folds=true default=true
// A checksum by exclusive or does not tell a packet from the same packet with its bytes rotated.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define LENGTH 60000
static unsigned char packet[LENGTH];

static unsigned char checksum(void) {
    unsigned char sum = 0x5a;
    for (int i = 0; i < LENGTH; i++) sum ^= packet[i];
    return sum;
}

int main(void) {
    for (int i = 0; i < LENGTH; i++) packet[i] = __VERIFIER_nondet_uchar();
    unsigned char sent = checksum();
    unsigned char first = packet[0];
    for (int i = 0; i < LENGTH - 1; i++) packet[i] = packet[i + 1];
    packet[LENGTH - 1] = first;
    if (checksum() != sent) reach_error();
    return 0;
}
