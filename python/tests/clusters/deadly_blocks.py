"""A block table whose reader dies."""

import os
import pathlib
import signal

from marked_blocks import MarkedBlocks


class DeadlyBlocks(MarkedBlocks):
    """Kills the first process that has read cell 7."""

    def read(self, numbers):
        for number in numbers:
            yield from super().read([number])
            killed = pathlib.Path(self.marks + ".killed")
            if number == 7 and not killed.exists():
                killed.touch()
                os.kill(os.getpid(), signal.SIGKILL)
