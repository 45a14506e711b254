// plumb: truth=false options=--malloc=may-fail bmc=false kinduction=unknown default=false
extern void *malloc(unsigned int);
extern void reach_error(void);

int main(void) {
    char *p = malloc(1);
    if (!p)
        reach_error();
    return 0;
}
