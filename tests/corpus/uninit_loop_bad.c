// plumb: truth=false bmc=false kinduction=false default=false
extern void reach_error(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int fresh;
        sum += fresh & 15;
    }
    if (sum == 45)
        reach_error();
    return 0;
}
