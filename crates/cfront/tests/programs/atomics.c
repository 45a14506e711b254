/* Atomic accesses, in their direct and generic forms; functions of the library through pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct allocator {
  void *(*get)(size_t);
  void (*put)(void *);
  void *(*copy)(void *, const void *, size_t);
};

static const struct allocator allocator = { malloc, free, memcpy };

static void flags(void) {
  _Bool flag = 0;
  int first = __atomic_test_and_set(&flag, 5), second = __atomic_test_and_set(&flag, 5);
  printf("%d %d %d\n", first, second, flag);
  __atomic_clear(&flag, 5);
  printf("%d\n", flag);
}

static void exchanges(void) {
  int v = 1, n = 7, old = 0;
  __atomic_exchange(&v, &n, &old, 5);
  printf("%d %d %d\n", v, n, old);
  old = __atomic_exchange_n(&v, 9, 5);
  printf("%d %d\n", v, old);
  __atomic_store(&v, &n, 5);
  __atomic_load(&v, &old, 5);
  printf("%d %d\n", v, old);
  __atomic_store_n(&v, 11, 5);
  printf("%d\n", __atomic_load_n(&v, 5));
  old = __sync_lock_test_and_set(&v, 12);
  printf("%d %d\n", old, v);
  __sync_lock_release(&v);
  printf("%d\n", v);
}

static void comparisons(void) {
  long v = 3, expected = 4, wanted = 5;
  int done = __atomic_compare_exchange_n(&v, &expected, 8, 0, 5, 5);
  printf("%d %ld %ld\n", done, v, expected);
  done = __atomic_compare_exchange(&v, &expected, &wanted, 0, 5, 5);
  printf("%d %ld %ld\n", done, v, expected);
  done = __sync_bool_compare_and_swap(&v, 5, 6);
  printf("%d %ld\n", done, v);
  expected = __sync_val_compare_and_swap(&v, 1, 2);
  printf("%ld %ld\n", expected, v);
  int *p = &done, *q = 0;
  __atomic_compare_exchange_n(&p, &q, 0, 0, 5, 5);
  printf("%d %d\n", p == &done, q == &done);
}

static void updates(void) {
  unsigned char c = 250;
  unsigned u = 12, old;
  old = __atomic_fetch_add(&c, 10, 5);
  printf("%u %d\n", old, c);
  old = __atomic_nand_fetch(&c, 6, 5);
  printf("%u %d\n", old, c);
  old = __sync_fetch_and_nand(&u, 10);
  printf("%u %u\n", old, u);
  old = __sync_xor_and_fetch(&u, 10);
  printf("%u %u\n", old, u);
  old = __atomic_fetch_sub(&u, 20, 5);
  printf("%u %u\n", old, u);
}

int main(void) {
  flags();
  exchanges();
  comparisons();
  updates();
  char text[] = "through pointers", *copy = allocator.get(sizeof text);
  if (!copy)
    abort();
  allocator.copy(copy, text, sizeof text);
  printf("%s %d\n", copy, (int)strlen(copy));
  allocator.put(copy);
  int (*compare)(const char *, const char *) = strcmp;
  printf("%d\n", compare("a", "a"));
  void (*end)(int) = exit;
  end(3);
  printf("not here\n");
}
