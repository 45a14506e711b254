// plumb: truth=true bmc=true kinduction=true default=true
extern void *malloc(unsigned int);
extern void reach_error(void);

int main(void) {
    char *p = malloc(1);
    if (!p)
        reach_error();
    return 0;
}
