// plumb: truth=false bmc=false kinduction=false ufo=false ufo-cp=false ufo-bp=false cp=false bp=false default=false
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            n++;
    check(n == 12);
    return 0;
}
