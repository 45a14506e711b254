// plumb: truth=true arrays=true
// Rows whose length is known at run time only: their cells are those of a plain array of the same elements.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int rows = 400, columns = 300;
    int table[rows][columns], copy[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) table[i][j] = __VERIFIER_nondet_int();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) copy[i][j] = table[i][j];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (copy[i][j] != table[i][j]) reach_error();
    return 0;
}
