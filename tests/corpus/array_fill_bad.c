// plumb: truth=false bmc=false kinduction=false default=false
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[5];
    for (int i = 0; i < 4; i++)
        a[i] = 7;
    for (int i = 0; i < 5; i++)
        check(a[i] == 7);
    return 0;
}
