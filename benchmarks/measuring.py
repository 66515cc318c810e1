"""Processes that are timed, and the table of what was found."""

import os
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A measurement that could not be made, or an answer that is wrong."""


def say(text):
    print(text, file=sys.stderr, flush=True)


class Table:
    """Rows of what was measured, printed as Markdown."""

    def __init__(self):
        self.rows = []
        self.aimed = 0
        self.missed = 0

    def add(self, what, figure, unit, target=None, detail=""):
        """`target`: ("<=" or ">=", number), or None for a figure that is only shown."""
        aim = reached = ""
        if target is not None:
            relation, bound = target
            good = figure <= bound if relation == "<=" else figure >= bound
            aim = f"{'at most' if relation == '<=' else 'at least'} {bound:g}{unit}"
            reached = "yes" if good else "**no**"
            self.aimed += 1
            self.missed += not good
        self.rows.append(
            (what, f"{figure:.3g}{unit}" if figure < 1000 else f"{figure:,.0f}{unit}", aim, reached, detail)
        )
        say("  " + "  |  ".join(cell for cell in self.rows[-1] if cell))

    def markdown(self):
        header = ("What", "Figure", "Target", "Reached", "Measured")
        lines = ["| " + " | ".join(header) + " |", "|---|--:|--:|---|---|"]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in self.rows])


class Finished:
    """A process that has ended: seconds of wall clock and of CPU, peak memory, what it printed."""

    def __init__(self, wall, usage, output):
        self.wall = wall
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak_bytes = usage.ru_maxrss * 1024
        self.output = output


def run(command):
    """Runs a process to its end. This process stays small: its own memory is a floor of the peak that is reported."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            raise Failed(
                f"{' '.join(map(str, command[:3]))} ...: exit {process.returncode}: "
                f"{errors.read().decode(errors='replace').strip()[-2000:]}"
            )
        return Finished(wall, usage, output.read().decode())


def in_turn(rounds, **actions):
    """Runs the actions one after the other, `rounds` times; a list of results for each."""
    results = {name: [] for name in actions}
    for round_number in range(rounds):
        for name, action in actions.items():
            results[name].append(action())
        say(f"    round {round_number + 1} of {rounds}")
    return results


def best(results, value):
    return min(value(result) for result in results)
