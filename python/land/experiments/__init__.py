"""The experiments of the paper, run again with this software: `python -m land.experiments`, docs/paper.md."""
