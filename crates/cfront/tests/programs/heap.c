/* Trees, hash tables, queues: programs as people write them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int key; struct node *left, *right; };

static struct node *insert(struct node *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static int height(const struct node *t)
{
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

static void walk(const struct node *t, void (*visit)(int))
{
    if (t) {
        walk(t->left, visit);
        visit(t->key);
        walk(t->right, visit);
    }
}

static void drop(struct node *t)
{
    if (t) {
        drop(t->left);
        drop(t->right);
        free(t);
    }
}

static unsigned digest;
static void mix(int k) { digest = digest * 31 + (unsigned)k; }

struct entry { char *key; int value; struct entry *next; };
static struct entry *buckets[16];

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static int *lookup(const char *key)
{
    struct entry **b = &buckets[hash(key) % 16];
    for (struct entry *e = *b; e; e = e->next)
        if (!strcmp(e->key, key))
            return &e->value;
    struct entry *e = calloc(1, sizeof *e);
    e->key = malloc(strlen(key) + 1);
    strcpy(e->key, key);
    e->next = *b;
    *b = e;
    return &e->value;
}

static int *sieve(int n, int *count)
{
    char *composite = calloc(n + 1, 1);
    int *primes = malloc(sizeof(int) * (size_t)n);
    *count = 0;
    for (int i = 2; i <= n; i++) {
        if (composite[i])
            continue;
        primes[(*count)++] = i;
        for (int j = 2 * i; j <= n; j += i)
            composite[j] = 1;
    }
    free(composite);
    return primes;
}

struct matrix { int rows, cols; double *cell; };

static struct matrix make(int rows, int cols)
{
    struct matrix m = { rows, cols, malloc(sizeof(double) * (size_t)(rows * cols)) };
    for (int i = 0; i < rows * cols; i++)
        m.cell[i] = i % 7 - 3;
    return m;
}

static struct matrix times(struct matrix a, struct matrix b)
{
    struct matrix c = make(a.rows, b.cols);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.cols; j++) {
            double s = 0;
            for (int k = 0; k < a.cols; k++)
                s += a.cell[i * a.cols + k] * b.cell[k * b.cols + j];
            c.cell[i * c.cols + j] = s;
        }
    return c;
}

int main(void)
{
    struct node *t = NULL;
    unsigned x = 12345;
    for (int i = 0; i < 100; i++) {
        x = x * 1103515245u + 12345u;
        t = insert(t, (int)(x >> 16 & 0x3ff));
    }
    walk(t, mix);
    printf("%u %d\n", digest, height(t));
    drop(t);
    const char *text[] = { "a", "rose", "is", "a", "rose", "is", "a", "rose" };
    for (int i = 0; i < 8; i++)
        ++*lookup(text[i]);
    printf("%d %d %d\n", *lookup("a"), *lookup("rose"), *lookup("none"));
    int n;
    int *primes = sieve(500, &n);
    printf("%d %d %d\n", n, primes[n - 1], primes[40]);
    free(primes);
    struct matrix a = make(5, 4), b = make(4, 6), c = times(a, b);
    double trace = 0;
    for (int i = 0; i < 5; i++)
        trace += c.cell[i * 6 + i];
    printf("%.1f\n", trace);
    free(a.cell);
    free(b.cell);
    free(c.cell);
    int *grow = NULL, cap = 0, len = 0;
    for (int i = 0; i < 50; i++) {
        if (len == cap) {
            cap = cap ? 2 * cap : 1;
            int *more = malloc(sizeof *grow * (size_t)cap);
            if (grow)
                memcpy(more, grow, sizeof *grow * (size_t)len);
            free(grow);
            grow = more;
        }
        grow[len++] = i * i;
    }
    long sum = 0;
    while (len)
        sum += grow[--len];
    free(grow);
    printf("%ld %d\n", sum, cap);
    exit(7);
}
