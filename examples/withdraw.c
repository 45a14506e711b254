/* An account that must not be overdrawn. The check is right for one withdrawal; the fee is forgotten. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned balance = 1000;
    const unsigned fee = 1;
    while (balance > 0) {
        unsigned amount = __VERIFIER_nondet_uint();
        if (amount == 0)
            break;
        if (amount <= balance) {
            balance -= amount;
            balance -= fee;
            if (balance > 1000)
                reach_error();
        }
    }
    return 0;
}
