/* Requests are handled under a lock; the loop ends with the lock held or with a new request to handle. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int locked = 0, requests = 0, handled = 0;
    do {
        if (locked)
            reach_error();
        locked = 1;
        handled = requests;
        if (__VERIFIER_nondet_int()) {
            locked = 0;
            requests++;
        }
    } while (handled != requests);
    if (!locked)
        reach_error();
    return 0;
}
