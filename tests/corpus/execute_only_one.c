// plumb: truth=true execute=true cp=true
// Without inputs there is one execution, and it does not reach the error: that is no proof in this engine.
extern void reach_error(void);

int main(void) {
    unsigned char step = 0;
    for (int i = 0; i < 1000; i++) step = step == 6 ? 0 : step + 1;
    if (step > 6) reach_error();
    return 0;
}
