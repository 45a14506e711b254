// plumb: truth=true bmc=unknown kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true ufo-auto=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int locked;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        lock();
        if (__VERIFIER_nondet_int()) {
            unlock();
            continue;
        }
        unlock();
    }
    return 0;
}
