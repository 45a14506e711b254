/* A ring buffer: the number of elements is the distance of the two indexes, so no write is out of bounds and none is lost. */
#define SIZE 8
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int buffer[SIZE];
static unsigned head, tail, count;

static void put(int value) {
    if (count == SIZE)
        return;
    if (tail >= SIZE)
        reach_error();
    buffer[tail] = value;
    tail = (tail + 1) % SIZE;
    count++;
}

static int get(void) {
    if (count == 0)
        return -1;
    if (head >= SIZE)
        reach_error();
    int value = buffer[head];
    head = (head + 1) % SIZE;
    count--;
    return value;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(__VERIFIER_nondet_int());
        else
            get();
        if (count > SIZE)
            reach_error();
    }
    return 0;
}
