"""Frozen records: what dataclasses(frozen=True) gives, without its import.

The agent starts with every sandbox. Importing dataclasses and decorating the agent's thirty records took 80 ms of that
start in a sandbox, this takes 1 ms. A field is an annotated name; a value given to it is its default.
"""


def record(cls: type) -> type:
    cls.__annotations__ = dict(cls.__dict__.get("__annotations__", {}))
    names = tuple(cls.__annotations__)
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}

    def __init__(self, *values, **named):
        given = dict(zip(names, values))
        given.update(named)
        for name in names:
            if name in given:
                value = given.pop(name)
            elif name in defaults:
                value = defaults[name]
            else:
                raise TypeError("%s needs %s" % (cls.__name__, name))
            object.__setattr__(self, name, value)
        if given or len(values) > len(names):
            raise TypeError("%s has no %s" % (cls.__name__, sorted(given)))

    def __setattr__(self, name, value):
        raise AttributeError("%s is frozen" % cls.__name__)

    def __repr__(self):
        return "%s(%s)" % (cls.__name__, ", ".join("%s=%r" % (n, getattr(self, n)) for n in names))

    def __eq__(self, other):
        return type(other) is cls and all(getattr(self, n) == getattr(other, n) for n in names)

    def fields(self) -> dict:
        """The record as the members of a JSON object; what is None is left out."""
        return {n: getattr(self, n) for n in names if getattr(self, n) is not None}

    cls.__init__, cls.__setattr__, cls.__repr__, cls.__eq__, cls.fields = __init__, __setattr__, __repr__, __eq__, fields
    cls.__hash__ = None
    return cls
