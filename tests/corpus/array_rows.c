// plumb: truth=true arrays=true dagger=true
// The loops over rows and columns fill a range of cells that ends where the last row does.
extern void reach_error(void);

static int table[600][200];

int main(void) {
    for (int i = 0; i < 600; i++)
        for (int j = 0; j < 200; j++) table[i][j] = 9;
    for (int i = 0; i < 600; i++)
        for (int j = 0; j < 200; j++)
            if (table[i][j] != 9) reach_error();
    return 0;
}
