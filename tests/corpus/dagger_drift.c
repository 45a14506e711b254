// plumb: truth=true options=--integers=ideal dagger=true dagger-poly=true dagger-farkas=true
// A position with a speed that changes by one but stays bounded: the position stays in a cone.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int speed = __VERIFIER_nondet_int(), position = 0, time = 0;
    if (speed < -2 || speed > 2)
        return 0;
    while (__VERIFIER_nondet_int()) {
        if (speed < -2 || speed > 2)
            return 0;
        position += speed;
        time++;
        if (__VERIFIER_nondet_int())
            speed++;
        else
            speed--;
    }
    if (position > 2 * time || position < -2 * time || speed > 3)
        reach_error();
    return 0;
}
