"""No cluster: the threads of land.select, which all others must agree with."""

import land


class Kind:
    name = "threads"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def select(self, path, y, *, parts, source, **options):
        return land.select(source, y, threads=min(parts, 4), **options)
