// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int m[3][4];
int main(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = 4 * i + j;
    check(m[2][3] == 11 && m[1][0] == 4);
    check(((int *)m)[5] == 5);
    return 0;
}
