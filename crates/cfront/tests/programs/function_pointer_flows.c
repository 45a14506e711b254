/* Addresses of functions on all the ways that data can take; a call through a pointer must still find its function. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*op)(int);

static int f1(int x) { return x + 1; }
static int f2(int x) { return x + 2; }
static int f3(int x) { return x + 3; }
static int f4(int x) { return x + 4; }
static int f5(int x) { return x + 5; }
static int f6(int x) { return x + 6; }
static int f7(int x) { return x + 7; }
static int f8(int x) { return x + 8; }
static int f9(int x) { return x + 9; }
static int f10(int x) { return x + 10; }
static int f11(int x) { return x + 11; }
static int f12(int x) { return x + 12; }
static int f13(int x) { return x + 13; }
static int f14(int x) { return x + 14; }

static op table[3] = {f1, &f2, *f1};
static const struct {
  const char *name;
  op run;
} named[] = {{"three", f3}, {.run = f4, .name = "four"}};

struct node {
  struct node *next;
  op run;
  int x;
};

union both {
  op f;
  unsigned char bytes[sizeof(op)];
};

static op pick(int which) { return which ? f5 : f6; }

static int apply(op f, int x) { return f(x); }

static int apply_raw(void *f, int x) { return ((op)f)(x); }

static int first(int n, ...) {
  va_list list;
  va_start(list, n);
  op f = va_arg(list, op);
  va_end(list);
  return f(n);
}

static void store(void *to) { *(op *)to = f12; }

int main(void) {
  int sum = table[0](100) + table[1](100) + table[2](100);
  printf("%d\n", sum);
  printf("%d %d\n", named[0].run(0), named[1].run(0));
  printf("%d %d\n", pick(0)(0), pick(1)(0));
  printf("%d\n", apply(f7, 0));
  printf("%d\n", apply_raw((void *)f8, 0));
  printf("%d\n", first(1, f9));

  struct node *list = 0;
  op ops[2] = {f10, f11};
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    n->run = ops[i];
    n->x = i;
    list = n;
  }
  for (struct node *n = list; n; n = n->next) printf("%d\n", n->run(n->x));

  op stored;
  store(&stored);
  printf("%d\n", stored(0));

  union both a, b;
  a.f = f13;
  for (unsigned i = 0; i < sizeof a; i++) b.bytes[i] = a.bytes[i];
  printf("%d\n", b.f(0));

  unsigned long bits = (unsigned long)f14;
  op back = (op)(bits ^ 1ul ^ 1ul);
  printf("%d\n", back(0));

  op copied[2];
  memcpy(copied, table, sizeof copied);
  printf("%d %d\n", copied[0](0), copied[1](0));

  op (*choose)(int) = pick;
  op *where = &ops[1];
  printf("%d %d\n", choose(1)(0), (*where)(0));
  struct node whole = *list, other = whole;
  printf("%d\n", other.run(0));
  return 0;
}
