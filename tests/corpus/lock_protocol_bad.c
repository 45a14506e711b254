// plumb: truth=false bmc=false kinduction=false ufo=false ufo-cp=false ufo-bp=false ufo-box=false ufo-oct=false ufo-poly=false ufo-auto=false cp=false bp=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int locked;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        lock();
        if (__VERIFIER_nondet_int())
            continue;
        unlock();
    }
    return 0;
}
