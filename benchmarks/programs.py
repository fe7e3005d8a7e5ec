"""The benchmark programs, as `run` and `compare` use them."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def build(root=ROOT, targets=("benchmarks",), keep_going=False):
    """Builds in root/build, as the preset `release` says."""
    make = ["cmake", "--build", "--preset", "release", "--target", *targets]
    for command in (["cmake", "--preset", "release"], make + ["--", "-k", "0"] if keep_going else make):
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if done.returncode != 0:
            if keep_going and command[1] == "--build":
                return
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def programs(root=ROOT):
    """What was built, by name."""
    found = (root / "build/benchmarks").glob("bench_*")
    return {p.name.removeprefix("bench_"): p for p in sorted(found) if p.is_file() and os.access(p, os.X_OK)}


def figures(program, *options, iterations=None, prefix=()):
    """Runs a program. For each benchmark, in order: nanoseconds an operation, and its limit if it has one."""
    environment = dict(os.environ)
    if iterations:
        environment["HINDSIGHT_BENCH_ITERATIONS"] = str(iterations)
    done = subprocess.run([*prefix, program, "--benchmark_format=json", *options],
                          capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{program} failed:\n{done.stderr}")
    result = {}
    if not done.stdout.strip():  # no benchmark of this program matches the filter
        return result
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        name = entry["run_name"].removesuffix(f"/iterations:{iterations}")
        figure = result.setdefault(name, {"ns": float("inf"), "limit_ns": entry.get("limit_ns"),
                                          "limit": entry.get("label"), "working_set": entry.get("working_set"),
                                          "batch": entry["batch"]})
        # The best of the repetitions: what others do on the machine only adds.
        figure["ns"] = min(figure["ns"], entry["cpu_time"] / entry["batch"])
        if "limit_ns" in entry:
            figure["limit_ns"] = min(figure["limit_ns"], entry["limit_ns"])
    return result
