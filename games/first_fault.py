"""Forms of what comes from outside that stop at the first fault.

pydantic collects everything that is wrong, which costs more time and memory than to read what is right: a
file of a few megabytes can hold hundreds of thousands of faults, and one of them is named.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError, model_validator
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema


class OnlyThese(BaseModel):
    """A form that forbids other members, and looks for the first of them before anything else."""

    @model_validator(mode="before")
    @classmethod
    def _has_no_other(cls, value: Any) -> Any:
        # With as many members as there are fields, there are no more faults than that.
        if isinstance(value, dict) and len(value) > len(cls.model_fields):
            other = next(name for name in value if name not in cls.model_fields)
            fault = InitErrorDetails(type="extra_forbidden", loc=(other,), input=None)
            raise ValidationError.from_exception_data(cls.__name__, [fault])
        return value


class FirstFault:
    """In `Annotated[list[…], FirstFault()]` or `Annotated[dict[…], FirstFault()]`: its first fault is all."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate a dictionary as a list of pairs, because only lists can stop at a fault."""
        whole: Any = handler(source)
        if whole["type"] == "list":
            return {**whole, "fail_fast": True}
        pair = core_schema.tuple_positional_schema([whole["keys_schema"], whole["values_schema"]])
        return core_schema.chain_schema(
            [
                core_schema.no_info_plain_validator_function(_pairs),
                core_schema.list_schema(pair, fail_fast=True),
                core_schema.no_info_plain_validator_function(dict),
            ]
        )


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    if not isinstance(value, dict):
        raise PydanticCustomError("dict_type", "Input should be a valid dictionary")
    return list(value.items())
