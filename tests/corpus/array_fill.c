// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[5];
    for (int i = 0; i < 5; i++)
        a[i] = i * i;
    for (int i = 0; i < 5; i++)
        check(a[i] == i * i);
    return 0;
}
