// plumb: truth=true default=true pdr=true
// As pdr_handover.c, with a log on which nothing depends.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int log[8];

int main(void) {
  int stage = 0, turn = 0, offered = 0, taken = 0;
  unsigned count = 0;
  while (1) {
    log[count++ & 7] = stage;
    int input = __VERIFIER_nondet_int();
    if (stage == 0 && input == 1) {
      stage = 1;
      offered = 1;
    } else if (stage == 1 && input == 2) {
      stage = 2;
      turn = 1 - turn;
    } else if (stage == 2) {
      if (turn == 1) {
        stage = 3;
        taken = offered;
      } else {
        stage = 0;
        offered = 0;
      }
    } else if (stage == 3) {
      if (taken != 1 && log[input & 7] >= 0)
        reach_error();
      stage = 0;
      offered = 0;
      taken = 0;
    }
  }
}
