// plumb: truth=false bmc=false kinduction=false ufo=false ufo-cp=false ufo-bp=false ufo-box=false ufo-oct=false ufo-poly=false ufo-auto=false cp=false bp=false default=false
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int s = 0;
    for (int i = 1; i <= 10; i++)
        s += i;
    check(s != 55);
    return 0;
}
