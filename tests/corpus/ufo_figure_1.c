// plumb: truth=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true ufo-auto=true cp=true bp=true default=true
// The function of Fig. 1 of the UFO paper: one refinement suffices.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void foo(int n)
{
	int i = 0, x = 0;
	while (i < n) {
		if (i <= 2)
			x = 0;
		else
			x = i;
		i = i + 1;
	}
	if (x < 0)
		reach_error();
}

int main(void)
{
	foo(__VERIFIER_nondet_int());
	return 0;
}
