// plumb: truth=true bmc=unknown kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);

int main(void) {
    int x = 0;
    while (1) {
        x = 1 - x;
        if (x != 0 && x != 1)
            break;
    }
    reach_error();
    return 0;
}
