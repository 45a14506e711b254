// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

typedef enum { RED, GREEN = 5, BLUE } colour;
typedef unsigned char byte;
int main(void) {
    colour c = BLUE;
    byte b = 255;
    b++;
    check(c == 6 && b == 0 && RED == 0);
    return 0;
}
