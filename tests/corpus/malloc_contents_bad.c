// plumb: truth=false bmc=false kinduction=false default=false
extern void *malloc(unsigned int);
extern void reach_error(void);

int main(void) {
    int *p = malloc(4 * sizeof(int));
    if (p[2] == 99)
        reach_error();
    return 0;
}
