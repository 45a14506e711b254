// plumb: truth=false value=unknown value-sep=false default=false
extern void reach_error(void);

int main(void) {
    int i = 0;
    while (i < 40) i = i + 1;
    if (i == 40) reach_error();
    return 0;
}
