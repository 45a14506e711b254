// plumb: truth=true na=true pa=true ndd=true ufo-nex=true ufo-ndd=true ufo-nexpoint=true ufo-mtndd=true numpred=true
// A pump fills in one mode and drains in the other; the level stays between its marks.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int level = 10, filling = 1;
    while (__VERIFIER_nondet_int()) {
        if (filling) {
            level++;
            if (level >= 20) filling = 0;
        } else {
            level--;
            if (level <= 0) filling = 1;
        }
        if (level < 0 || level > 20) reach_error();
    }
    return 0;
}
