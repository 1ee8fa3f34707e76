"""Programs: how a world is asked, as typed trees of functions whose every step is kept."""

from mereo.programs.execution import Executable, Trace, TraceStep, compile_program, execute, execute_many
from mereo.programs.failures import (
    IllTyped,
    NothingReferred,
    NoValue,
    ProgramFailure,
    SeveralReferred,
    UnknownFunction,
    UnknownInWorld,
)
from mereo.programs.library import attribute_functions, integer_functions, set_functions
from mereo.programs.notation import parse_program
from mereo.programs.program import Program
from mereo.programs.step import Step, format_step
from mereo.programs.table import Function, Language
from mereo.programs.types import (
    BOOLEAN,
    INTEGER,
    INTEGER_SET,
    OBJECT,
    OBJECT_SET,
    PART_SET,
    Type,
    plain,
    value_type,
)

__all__ = [
    "BOOLEAN",
    "INTEGER",
    "INTEGER_SET",
    "OBJECT",
    "OBJECT_SET",
    "PART_SET",
    "Executable",
    "Function",
    "IllTyped",
    "Language",
    "NoValue",
    "NothingReferred",
    "Program",
    "ProgramFailure",
    "SeveralReferred",
    "Step",
    "Trace",
    "TraceStep",
    "Type",
    "UnknownFunction",
    "UnknownInWorld",
    "attribute_functions",
    "compile_program",
    "execute",
    "execute_many",
    "format_step",
    "integer_functions",
    "parse_program",
    "plain",
    "set_functions",
    "value_type",
]
