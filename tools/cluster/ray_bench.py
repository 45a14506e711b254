#!/usr/bin/env python3
"""Runs a set of tasks on a Ray cluster (or on one machine): `pip install ray`, then

    python3 tools/cluster/ray_bench.py SET --out DIR [--part 8] [--time 60] [--memory 4G] [--plumb PATH] [-- OPTIONS of plumb check]

SET has lines of path, verdict and data model, separated by tabs, as for `plumb bench`. It is cut into parts; each is one `plumb bench` on one core of some
node, with its own folder and journal below DIR, which all nodes must share, as they must the tasks. The same command goes on where an interrupted one ended.
DIR/results.tsv has all results; `plumb bench --compare` takes it.
"""

import argparse
import os
import shutil
import subprocess
import sys

import ray


@ray.remote(num_cpus=1)
def run_part(command, folder):
    """One part; returns its table, and what was said if there is none."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    table = os.path.join(folder, "results.tsv")
    if not os.path.exists(table):
        return [], done.stderr.strip() or f"exit code {done.returncode}"
    with open(table) as file:
        return file.read().splitlines(), ""


def main():
    own = sys.argv[1:]
    options = []
    if "--" in own:
        options = own[own.index("--") + 1 :]
        own = own[: own.index("--")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set")
    parser.add_argument("--out", required=True)
    parser.add_argument("--part", type=int, default=8, help="tasks in each part")
    parser.add_argument("--time", default="60")
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--plumb", default=shutil.which("plumb"), help="the program, as all nodes see it")
    args = parser.parse_args(own)
    if not args.plumb:
        parser.error("plumb is not in PATH; name it with --plumb")
    base = os.path.dirname(os.path.abspath(args.set))
    with open(args.set) as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    out = os.path.abspath(args.out)
    ray.init(ignore_reinit_error=True, log_to_driver=False)
    waiting = {}
    for number, start in enumerate(range(0, len(lines), args.part)):
        folder = os.path.join(out, f"part-{number:05}")
        os.makedirs(folder, exist_ok=True)
        part = os.path.join(folder, "part.set")
        with open(part, "w") as file:
            file.writelines(os.path.join(base, line) + "\n" for line in lines[start : start + args.part])
        command = [args.plumb, "bench", part, "--out", folder, "--time", args.time, "--memory", args.memory, "--", *options]
        waiting[run_part.remote(command, folder)] = number
    header, rows, failed = None, {}, 0
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        number = waiting.pop(ready)
        table, problem = ray.get(ready)
        if problem:
            failed += 1
            print(f"part {number}: {problem}", file=sys.stderr)
            continue
        header = table[0]
        rows[number] = [row.removeprefix(base + os.sep) for row in table[1:]]
        print(f"{sum(map(len, rows.values()))}/{len(lines)} tasks", file=sys.stderr)
    with open(os.path.join(out, "results.tsv"), "w") as file:
        file.writelines(line + "\n" for line in [header or "task", *(row for number in sorted(rows) for row in rows[number])])
    print(os.path.join(out, "results.tsv"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
