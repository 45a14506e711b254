// plumb: truth=true bmc=true kinduction=true ufo=true ufo-cp=true ufo-bp=true cp=true bp=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            n++;
    check(n == 12);
    return 0;
}
