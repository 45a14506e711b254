// plumb: truth=false ufo=false bmc=false
// The session keeps what it owes when it begins again, and may be recognised late: after twelve rounds it owes too much.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum { HELLO = 10, KEYS = 20, CERTIFICATE = 30, REQUEST = 40, VERIFY = 50, FINISH = 60, FLUSH = 70, RENEW = 80, DONE = 90 };

int main(void) {
    int state = HELLO, next = 0, owed = 0, hit = __VERIFIER_nondet_int(), mode = __VERIFIER_nondet_int();
    while (state != DONE) {
        if (state == HELLO) {
            owed = owed > 3 ? owed : 0;
            state = hit ? FINISH : KEYS;
        } else if (state == KEYS) {
            if (owed == 0)
                owed = 1;
            state = CERTIFICATE;
        } else if (state == CERTIFICATE) {
            if (mode + 1)
                state = REQUEST;
            else
                state = VERIFY;
        } else if (state == REQUEST) {
            if (owed == 1)
                owed = 2;
            hit = __VERIFIER_nondet_int();
            next = VERIFY;
            state = FLUSH;
        } else if (state == VERIFY) {
            if (owed == 4)
                reach_error();
            state = FINISH;
        } else if (state == FINISH) {
            if (owed == 2)
                owed = 3;
            else if (owed == 4)
                reach_error();
            next = hit ? RENEW : DONE;
            state = FLUSH;
        } else if (state == RENEW) {
            if (owed == 3)
                owed = 4;
            hit = __VERIFIER_nondet_int();
            state = HELLO;
        } else if (state == FLUSH) {
            state = next;
        }
    }
    return 0;
}
