/* The functions of the C library that programs use without defining them, in the C that plumb reads.
   A program's own definition of one of these names takes precedence. */
typedef __typeof__(sizeof(0)) size_t;

void __plumb_copy1(void *to, const void *from, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if (d <= s) {
    for (size_t i = 0; i < n; i++) d[i] = s[i];
  } else {
    for (size_t i = n; i > 0; i--) d[i - 1] = s[i - 1];
  }
}

void __plumb_copy2(void *to, const void *from, size_t n) {
  unsigned short *d = to;
  const unsigned short *s = from;
  size_t k = n / 2;
  if (d <= s) {
    for (size_t i = 0; i < k; i++) d[i] = s[i];
  } else {
    for (size_t i = k; i > 0; i--) d[i - 1] = s[i - 1];
  }
}

void __plumb_copy4(void *to, const void *from, size_t n) {
  unsigned int *d = to;
  const unsigned int *s = from;
  size_t k = n / 4;
  if (d <= s) {
    for (size_t i = 0; i < k; i++) d[i] = s[i];
  } else {
    for (size_t i = k; i > 0; i--) d[i - 1] = s[i - 1];
  }
}

void __plumb_copy8(void *to, const void *from, size_t n) {
  unsigned long long *d = to;
  const unsigned long long *s = from;
  size_t k = n / 8;
  if (d <= s) {
    for (size_t i = 0; i < k; i++) d[i] = s[i];
  } else {
    for (size_t i = k; i > 0; i--) d[i - 1] = s[i - 1];
  }
}

void *memcpy(void *to, const void *from, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  for (size_t i = 0; i < n; i++) d[i] = s[i];
  return to;
}

void *memmove(void *to, const void *from, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if (d <= s) {
    for (size_t i = 0; i < n; i++) d[i] = s[i];
  } else {
    for (size_t i = n; i > 0; i--) d[i - 1] = s[i - 1];
  }
  return to;
}

void *memset(void *to, int c, size_t n) {
  unsigned char *d = to;
  for (size_t i = 0; i < n; i++) d[i] = (unsigned char)c;
  return to;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return 1;
  return 0;
}

void bcopy(const void *from, void *to, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if (d <= s) {
    for (size_t i = 0; i < n; i++) d[i] = s[i];
  } else {
    for (size_t i = n; i > 0; i--) d[i - 1] = s[i - 1];
  }
}

void *memchr(const void *a, int c, size_t n) {
  const unsigned char *x = a;
  for (size_t i = 0; i < n; i++)
    if (x[i] == (unsigned char)c) return (void *)(x + i);
  return 0;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  while ((to[i] = from[i]) != 0) i++;
  return to;
}

char *stpcpy(char *to, const char *from) {
  size_t i = 0;
  while ((to[i] = from[i]) != 0) i++;
  return to + i;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  while ((to[n + i] = from[i]) != 0) i++;
  return to;
}

char *strncat(char *to, const char *from, size_t max) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < max && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (!a[i]) return 0;
  }
  return 0;
}

int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  for (;;) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x >= 'A' && x <= 'Z') x += 32;
    if (y >= 'A' && y <= 'Z') y += 32;
    if (x != y) return x - y;
    if (!x) return 0;
    i++;
  }
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x >= 'A' && x <= 'Z') x += 32;
    if (y >= 'A' && y <= 'Z') y += 32;
    if (x != y) return x - y;
    if (!x) return 0;
  }
  return 0;
}

char *strchr(const char *s, int c) {
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}

char *index(const char *s, int c) {
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}

char *strrchr(const char *s, int c) {
  const char *found = 0;
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) found = s + i;
    if (!s[i]) return (char *)found;
  }
}

char *rindex(const char *s, int c) {
  const char *found = 0;
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) found = s + i;
    if (!s[i]) return (char *)found;
  }
}

char *strstr(const char *s, const char *t) {
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (t[k] && s[i + k] == t[k]) k++;
    if (!t[k]) return (char *)(s + i);
    if (!s[i + k] && !s[i]) return 0;
  }
}

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  for (; s[n]; n++) {
    size_t k = 0;
    while (set[k] && set[k] != s[n]) k++;
    if (!set[k]) break;
  }
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  for (; s[n]; n++) {
    size_t k = 0;
    while (set[k] && set[k] != s[n]) k++;
    if (set[k]) break;
  }
  return n;
}

char *strpbrk(const char *s, const char *set) {
  for (size_t n = 0; s[n]; n++)
    for (size_t k = 0; set[k]; k++)
      if (set[k] == s[n]) return (char *)(s + n);
  return 0;
}

/* Calls of these by name have a meaning of their own; through pointers these are called. */
void *malloc(size_t n) { return __builtin_malloc(n); }
void *calloc(size_t n, size_t size) { return __builtin_calloc(n, size); }
void *realloc(void *p, size_t n) { return __builtin_realloc(p, n); }
void free(void *p) { __builtin_free(p); }
double sqrt(double x) { return __builtin_sqrt(x); }
double fabs(double x) { return __builtin_fabs(x); }
double floor(double x) { return __builtin_floor(x); }
double ceil(double x) { return __builtin_ceil(x); }
float sqrtf(float x) { return __builtin_sqrtf(x); }
float fabsf(float x) { return __builtin_fabsf(x); }

char *strdup(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  char *to = __builtin_malloc(n + 1);
  if (!to) return 0;
  for (size_t i = 0; i <= n; i++) to[i] = s[i];
  return to;
}

char *strndup(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  char *to = __builtin_malloc(n + 1);
  if (!to) return 0;
  for (size_t i = 0; i < n; i++) to[i] = s[i];
  to[n] = 0;
  return to;
}

/* What is not zero is glibc's bit of the class; gcc makes 1 of digits. */
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? 0x1000 : 0; }
int islower(int c) { return c >= 'a' && c <= 'z' ? 0x200 : 0; }
int isupper(int c) { return c >= 'A' && c <= 'Z' ? 0x100 : 0; }
int isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 0x400 : 0; }
int isalnum(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? 8 : 0; }
int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13) ? 0x2000 : 0; }
int isblank(int c) { return c == ' ' || c == 9; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127 ? 2 : 0; }
int isprint(int c) { return c >= 32 && c < 127 ? 0x4000 : 0; }
int isgraph(int c) { return c > 32 && c < 127 ? 0x8000 : 0; }
int ispunct(int c) {
  return (c > 32 && c < 48) || (c > 57 && c < 65) || (c > 90 && c < 97) || (c > 122 && c < 127) ? 4 : 0;
}
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
div_t div(int a, int b) {
  div_t r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}
ldiv_t ldiv(long a, long b) {
  ldiv_t r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}

int atoi(const char *s) {
  size_t i = 0;
  int negative = 0;
  unsigned int value = 0;
  while (s[i] == ' ' || (s[i] >= 9 && s[i] <= 13)) i++;
  if (s[i] == '-' || s[i] == '+') negative = s[i++] == '-';
  for (; s[i] >= '0' && s[i] <= '9'; i++) value = value * 10 + (unsigned int)(s[i] - '0');
  return (int)(negative ? 0u - value : value);
}

long atol(const char *s) {
  size_t i = 0;
  int negative = 0;
  unsigned long value = 0;
  while (s[i] == ' ' || (s[i] >= 9 && s[i] <= 13)) i++;
  if (s[i] == '-' || s[i] == '+') negative = s[i++] == '-';
  for (; s[i] >= '0' && s[i] <= '9'; i++) value = value * 10 + (unsigned long)(s[i] - '0');
  return (long)(negative ? 0ul - value : value);
}

long long atoll(const char *s) {
  size_t i = 0;
  int negative = 0;
  unsigned long long value = 0;
  while (s[i] == ' ' || (s[i] >= 9 && s[i] <= 13)) i++;
  if (s[i] == '-' || s[i] == '+') negative = s[i++] == '-';
  for (; s[i] >= '0' && s[i] <= '9'; i++) value = value * 10 + (unsigned long long)(s[i] - '0');
  return (long long)(negative ? 0ull - value : value);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  unsigned char *a = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--)
      for (size_t k = 0; k < size; k++) {
        unsigned char t = a[(j - 1) * size + k];
        a[(j - 1) * size + k] = a[j * size + k];
        a[j * size + k] = t;
      }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const unsigned char *a = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, a + middle * size);
    if (order == 0) return (void *)(a + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* What glibc's macros of ctype.h read: a table from -128 to 255, with its bits. */
const unsigned short **__ctype_b_loc(void) {
  static const unsigned short table[384] = {
    [128 + 0 ... 128 + 8] = 0x2, [128 + 9] = 0x2003, [128 + 10 ... 128 + 13] = 0x2002, [128 + 14 ... 128 + 31] = 0x2,
    [128 + 32] = 0x6001, [128 + 33 ... 128 + 47] = 0xc004, [128 + 48 ... 128 + 57] = 0xd808,
    [128 + 58 ... 128 + 64] = 0xc004, [128 + 65 ... 128 + 70] = 0xd508, [128 + 71 ... 128 + 90] = 0xc508,
    [128 + 91 ... 128 + 96] = 0xc004, [128 + 97 ... 128 + 102] = 0xd608, [128 + 103 ... 128 + 122] = 0xc608,
    [128 + 123 ... 128 + 126] = 0xc004, [128 + 127] = 0x2,
  };
  static const unsigned short *origin = table + 128;
  return &origin;
}
