// plumb: truth=true default=true execute=true
// Where members are: #pragma pack limits what members ask for, but not empty bit-fields; a typedef can ask for less than its type; an alignment
// before a pointer is the member's.
extern void reach_error(void);
#define OFFSET(type, member) __builtin_offsetof(struct type, member)

typedef int loose __attribute__((aligned(1)));
typedef int wide __attribute__((aligned(8)));
struct a { char c; loose x; };
struct __attribute__((packed)) b { char c; wide x; };
struct c { char c; _Alignas(8) void *p; };
struct __attribute__((packed)) d { char c; _Alignas(4) short s; int bits : 20; };
#pragma pack(push, 1)
struct e { char c; int x __attribute__((aligned(4))); };
struct f { char c; int : 0; char d; };
#pragma pack(pop)
#pragma pack(2)
struct __attribute__((packed)) g { char c[3]; int bits : 20; };
#pragma pack()

int main(void) {
  if (OFFSET(a, x) != 1 || sizeof(struct a) != 5 || OFFSET(b, x) != 1 || OFFSET(c, p) != 8)
    reach_error();
  if (OFFSET(d, s) != 4 || sizeof(struct d) != 12 || OFFSET(e, x) != 1 || OFFSET(f, d) != 4 || sizeof(struct g) != 6)
    reach_error();
  if (_Alignof(loose) != 1 || _Alignof(wide) != 8)
    reach_error();
  return 0;
}
