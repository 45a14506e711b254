// plumb: truth=false arrays=unknown execute=false
// As array_rows.c, but both loops end before the last row, and it is looked at.
extern void reach_error(void);

static int table[600][200];

int main(void) {
    for (int i = 0; i < 599; i++)
        for (int j = 0; j < 200; j++) table[i][j] = 9;
    for (int i = 0; i < 599; i++)
        for (int j = 0; j < 200; j++)
            if (table[i + 1][j] != 9) reach_error();
    return 0;
}
