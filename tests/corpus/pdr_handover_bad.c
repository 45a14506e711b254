// plumb: truth=false default=false pdr=false
// As pdr_handover.c, but what was not taken is withdrawn while the offer stands: the second time round nothing is there.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int stage = 0, turn = 0, offered = 0, taken = 0;
  while (1) {
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
        stage = 1;
        offered = 0;
      }
    } else if (stage == 3) {
      if (taken != 1)
        reach_error();
      stage = 0;
      offered = 0;
      taken = 0;
    }
  }
}
