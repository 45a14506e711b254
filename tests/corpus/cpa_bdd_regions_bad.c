// plumb: truth=false kinduction=false
// The heater of cpa_bdd_regions.c with a step that heats too much.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int mode = 3, temperature = 120, load = -400;

int step(int input) {
    if (mode == 3 && temperature > 90 && temperature <= 255 && input == 1) {
        temperature = (((temperature * 7) + 31) % 60) - 40;
        mode = 5;
        return 20;
    }
    if (mode == 5 && temperature <= 90 && load <= -108 && input == 2) {
        temperature = ((temperature % 40) * 9) + 174;
        load = (load % 50) + 700;
        mode = 4;
        return 21;
    }
    if (mode == 4 && temperature > 90 && load > 111 && (input == 1 || input == 3)) {
        load = ((load % 90) / 3) - 210;
        mode = input == 1 ? 3 : 5;
        return 22;
    }
    if (mode == 5 && temperature > 90 && input == 4) {
        temperature = (temperature % 40) + 44;
        return 23;
    }
    if (mode == 4 && (temperature <= 90 || load <= 111)) {
        reach_error();
    }
    if (mode == 3 && (temperature > 255 || load > 111)) {
        reach_error();
    }
    return -2;
}

int main(void) {
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || input > 4) return 0;
        step(input);
    }
}
