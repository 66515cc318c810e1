"""Programs that run beside a test."""

from __future__ import annotations

import pathlib
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

PATIENCE = 60.0  # seconds


class Service:
    """A program that is ready once its log says so. It is ended by its own id, which stands beside the log, too, for
    whoever has to end it in another way."""

    def __init__(
        self, name: str, command: Sequence[str], folder: pathlib.Path, ready: str, environment: Mapping[str, str]
    ) -> None:
        self._log = folder / f"{name}.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=folder
            )
        (folder / f"{name}.pid").write_text(str(self.process.pid))
        #: what ``ready`` has in its parentheses
        self.told = self.wait_for(ready)[0]

    def wait_for(self, pattern: str, times: int = 1) -> list[str]:
        """All that the log has of a pattern, once there is enough of it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.findall(pattern, self._log.read_text())
            if len(found) >= times:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"{self._log}: nothing of {pattern!r}: {self._log.read_text()[-2000:]}")

    def ask(self, line: str, answer: str) -> str:
        """What the program says to a line of input."""
        said = len(re.findall(answer, self._log.read_text()))
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self.wait_for(answer, said + 1)[-1]

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Service:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
