// plumb: truth=true bmc=true kinduction=unknown default=true
#include <string.h>
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    char buffer[16];
    strcpy(buffer, "plumb");
    check(strlen(buffer) == 5);
    check(strcmp(buffer, "plumb") == 0);
    strcat(buffer, "!");
    check(buffer[5] == '!' && buffer[6] == 0);
    memset(buffer, 'x', 3);
    check(buffer[0] == 'x' && buffer[2] == 'x' && buffer[3] == 'm');
    return 0;
}
