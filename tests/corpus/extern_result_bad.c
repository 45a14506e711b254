// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);

int sensor(int channel);
int main(void) {
    int a = sensor(1);
    int b = sensor(2);
    if (a == 5 && b == -5)
        reach_error();
    return 0;
}
