// plumb: truth=false bmc=false execute=false
// The inputs are the contents of objects that nothing initialises: an automatic array, one in a function that is called twice, and memory from malloc.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int printf(const char *, ...);

int spread(void) {
    short parts[3];
    printf("x");
    return parts[2] - parts[0];
}

int main(void) {
    int row[4];
    int *heap = malloc(2 * sizeof(int));
    int first = spread();
    int second = spread();
    if (row[1] > row[3] && heap[1] != heap[0] && first > 0 && second < 0) reach_error();
    return 0;
}
