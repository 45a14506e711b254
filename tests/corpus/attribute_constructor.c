// plumb: truth=false default=unknown
// Before main something runs that sets what the error depends on: functions of this kind are not modelled, and not ignored.
extern void reach_error(void);

static int ready;

__attribute__((constructor)) static void prepare(void) {
  ready = 1;
}

int main(void) {
  if (ready)
    reach_error();
  return 0;
}
