// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);

int main(void) {
    int x;
    int y = 3;
    if (x == 1234 && y == 3)
        reach_error();
    return 0;
}
