// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);

int main(void) {
    char buffer[8];
    int n = 0;
    for (int i = 0; i < 8; i++)
        if (buffer[i] == 'a' + i)
            n++;
    if (n == 8)
        reach_error();
    return 0;
}
