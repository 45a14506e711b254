// plumb: truth=false bmc=false kinduction=false default=false
extern void reach_error(void);

int main(void) {
    int *p, x = 0;
    if (p == 0 && x == 0)
        reach_error();
    return 0;
}
