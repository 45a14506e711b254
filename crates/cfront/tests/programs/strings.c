/* Strings and the functions of string.h, ctype.h and stdlib.h. */
#include <stdio.h>
#include <string.h>
#include <ctype.h>
#include <stdlib.h>

static char buffer[64];
static const char *const words[] = { "delta", "alpha", "charlie", "bravo" };
static char grid[3][6] = { "one", "three", "12345" };

static void reverse(char *s)
{
    for (char *e = s + strlen(s) - 1; s < e; s++, e--) {
        char t = *s;
        *s = *e;
        *e = t;
    }
}

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static int ints(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }

int main(void)
{
    char s[] = "hello, world", t[32];
    printf("%zu %zu %s\n", sizeof s, strlen(s), s + 7);
    strcpy(t, s);
    reverse(t);
    printf("%s %d %d\n", t, strcmp(s, t) < 0, strncmp(s, "help", 3));
    strncpy(buffer, s, 5);
    strcat(buffer, "-");
    strncat(buffer, "suffix", 3);
    printf("%s\n", buffer);
    printf("%s %s %s\n", strchr(s, 'w'), strrchr(s, 'o'), strstr(s, "lo,"));
    printf("%d %d\n", strchr(s, 'z') == 0, (int)(strchr(s, 0) - s));
    memset(buffer, 'x', 10);
    memmove(buffer + 2, buffer, 4);
    memcpy(buffer + 4, "abc", 3);
    buffer[10] = 0;
    printf("%s %d\n", buffer, memcmp("abc", "abd", 3) < 0);
    memmove(s + 1, s, 5);
    memmove(s + 6, s + 7, 3);
    printf("%s\n", s);
    for (char *c = s; *c; c++)
        *c = isalpha((unsigned char)*c) ? toupper((unsigned char)*c) : isdigit((unsigned char)*c) ? '#' : '_';
    printf("%s\n", s);
    printf("%d %d %ld\n", atoi("  -42x"), abs(-7), labs(-8L));
    printf("%s|%s|%s\n", grid[0], grid[1], grid[2]);
    printf("%c%c%c\n", "index"[2], *"first", 1["second"]);
    const char *sorted[4];
    memcpy(sorted, words, sizeof words);
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (compare(&sorted[i], &sorted[j]) > 0) {
                const char *w = sorted[i];
                sorted[i] = sorted[j];
                sorted[j] = w;
            }
    for (int i = 0; i < 4; i++)
        printf("%s ", sorted[i]);
    printf("\n");
    int a[6] = { 5, 2, 9, -1, 7, 0 };
    int order = 0;
    for (int i = 0; i < 5; i++)
        order += ints(&a[i], &a[i + 1]);
    printf("%d\n", order);
    char *d = realloc(NULL, 40);
    strcpy(d, "dynamic");
    strcat(d, " memory");
    printf("%s\n", d);
    free(d);
    int *z = calloc(8, sizeof *z);
    int zero = 1;
    for (int i = 0; i < 8; i++)
        zero &= z[i] == 0;
    z[3] = 5;
    printf("%d %d\n", zero, z[3]);
    free(z);
    printf("tab\there \"quoted\" back\\slash %% \x41\102" "joined\n");
    puts("puts");
    putchar('p');
    putchar('\n');
    fputs("fputs\n", stdout);
    fprintf(stdout, "fprintf %d\n", 3);
    fprintf(stderr, "not compared\n");
    return strlen(buffer);
}
