/* Structs, unions, bit-fields, nesting, copies, layouts, anonymous members, flexible arrays. */
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>

struct point { int x, y; };
struct rect { struct point a, b; char name[8]; };
struct mixed { char c; double d; short s; long long l; char t; long double ld; };
struct packed { char c; int i; short s; } __attribute__((packed));
struct aligned { char c; int v __attribute__((aligned(16))); };
struct bits { unsigned a : 3; int b : 5; unsigned c : 10; int : 0; unsigned d : 31; long long e : 40; _Bool f : 1; };
struct tight { unsigned char a : 4, b : 4; unsigned short c : 9; char d; } __attribute__((packed));
union any { int i; unsigned u; float f; unsigned char b[8]; struct { short lo, hi; }; };
struct anon { int k; union { int n; char t[4]; }; struct { int p, q; }; };
struct flex { int n; int data[]; };
enum color { RED, GREEN = 5, BLUE, MINUS = -2 };
struct list { int v; struct list *next; };

static struct point origin;
static struct rect r0 = { { 1, 2 }, { .y = 4, .x = 3 }, "rect" };
static struct { int a[3]; struct point p[2]; } nest = { { 1, 2, 3 }, { { 4, 5 }, { 6, 7 } } };
static struct { int a[3]; struct point p[2]; } flat = { 1, 2, 3, 4, 5, 6 };

static struct point add(struct point a, struct point b) { struct point c = { a.x + b.x, a.y + b.y }; return c; }
static struct rect grow(struct rect r, int d) { r.b.x += d; r.b.y += d; r.name[0] = 'R'; return r; }
static int area(const struct rect *r) { return (r->b.x - r->a.x) * (r->b.y - r->a.y); }
static union any mk(int i) { union any u; u.i = i; return u; }

int main(void)
{
    struct point p = { 3, 4 }, q = p;
    q.x = 10;
    p = add(p, add(q, origin));
    printf("%d %d %d %d\n", p.x, p.y, q.x, q.y);
    struct rect r1 = grow(r0, 5), *pr = &r1;
    printf("%d %d %s %s\n", area(&r0), area(pr), r0.name, pr->name);
    printf("%d %d\n", grow(r1, 2).b.x, add(p, q).y);
    printf("%zu %zu %zu %zu\n", sizeof(struct mixed), sizeof(struct packed), sizeof(struct aligned), sizeof(struct bits));
    printf("%zu %zu %zu %zu\n", offsetof(struct mixed, d), offsetof(struct mixed, l), offsetof(struct mixed, ld), offsetof(struct packed, s));
    printf("%zu %zu %zu\n", sizeof(struct tight), sizeof(union any), sizeof(struct flex));
    struct bits b;
    memset(&b, 0, sizeof b);
    b.a = 13;
    b.b = 17;
    b.c = 1023;
    b.d = 0x7fffffff;
    b.e = -5;
    b.f = 3;
    printf("%d %d %d %d %lld %d\n", b.a, b.b, b.c, b.d, (long long)b.e, b.f);
    b.b++;
    b.a += 6;
    b.c ^= 0x155;
    b.e <<= 3;
    printf("%d %d %d %lld\n", b.a, b.b, b.c, (long long)b.e);
    unsigned char *raw = (unsigned char *)&b;
    for (size_t i = 0; i < sizeof b; i++)
        printf("%02x", raw[i]);
    printf("\n");
    struct tight t;
    memset(&t, 0, sizeof t);
    t.a = 5;
    t.b = 9;
    t.c = 300;
    t.d = 'x';
    raw = (unsigned char *)&t;
    for (size_t i = 0; i < sizeof t; i++)
        printf("%02x", raw[i]);
    printf(" %d\n", t.c);
    union any u = { .f = 1.0f };
    printf("%x\n", u.u);
    u.i = -2;
    printf("%d %d %d %d\n", u.b[0], u.b[3], u.lo, u.hi);
    u.hi = 7;
    printf("%x %x\n", u.u, mk(0x01020304).b[1]);
    struct anon an = { 1, { 2 }, { 3, 4 } };
    an.t[0] = 9;
    printf("%d %d %d\n", an.n, an.p, an.q);
    struct flex *f = malloc(sizeof *f + 5 * sizeof(int));
    f->n = 5;
    for (int i = 0; i < f->n; i++)
        f->data[i] = i * i;
    printf("%d\n", f->data[4]);
    free(f);
    enum color c = BLUE;
    printf("%d %d %d\n", c, MINUS, c == GREEN + 1);
    struct list *head = 0;
    for (int i = 0; i < 5; i++) {
        struct list *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        head = n;
    }
    int s = 0;
    for (struct list *n = head; n; n = n->next)
        s = s * 10 + n->v;
    printf("%d\n", s);
    while (head) {
        struct list *n = head->next;
        free(head);
        head = n;
    }
    struct point arr[3] = { [1] = { 1, 1 }, { .y = 8 } };
    arr[0] = arr[1];
    arr[1] = (struct point){ 20, 30 };
    printf("%d %d %d %d\n", arr[0].x, arr[1].y, arr[2].x, arr[2].y);
    printf("%d %d %d %d\n", nest.a[2], nest.p[1].y, flat.p[1].x, flat.p[1].y);
    struct rect copies[2];
    copies[0] = copies[1] = r0;
    copies[1].name[1] = 'E';
    printf("%s %s %d\n", copies[0].name, copies[1].name, memcmp(&copies[0], &r0, sizeof r0));
    struct packed pk[2] = { { 1, 0x01020304, 5 }, { 2, -1, -2 } };
    int *mis = (int *)((char *)&pk[1] + 1);
    printf("%d %d %d\n", pk[0].i, pk[1].s, *mis);
    return p.x;
}
