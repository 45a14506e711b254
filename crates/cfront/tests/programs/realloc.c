/* Blocks that grow and shrink keep their contents. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
  int n, capacity;
  int *data;
};

static void add(struct vector *v, int x) {
  if (v->n == v->capacity) {
    v->capacity = v->capacity ? 2 * v->capacity : 2;
    v->data = realloc(v->data, v->capacity * sizeof(int));
  }
  v->data[v->n++] = x;
}

int main(void) {
  struct vector v = {0};
  for (int i = 0; i < 20; i++) add(&v, i * 3);
  int sum = 0;
  for (int i = 0; i < v.n; i++) sum += v.data[i];
  v.data = realloc(v.data, 8);
  printf("%d %d\n", sum, v.data[1]);
  free(v.data);
  char *text = strdup("abc");
  text = realloc(text, 10);
  strcat(text, "def");
  puts(text);
  free(text);
  char *zeros = calloc(3, 4);
  printf("%d\n", zeros[11]);
  free(zeros);
  free(0);
  const char **words = malloc(2 * sizeof *words);
  words[0] = "x";
  words[1] = "y";
  words = realloc(words, 3 * sizeof *words);
  words[2] = "z";
  printf("%s%s%s\n", words[0], words[1], words[2]);
  free(words);
  return 0;
}
