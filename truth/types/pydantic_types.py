"""Prints the JSON schema of every type that pydantic 2 can write, each as a field of a model."""

import json
import sys
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union
from uuid import UUID

import pydantic
from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model
from typing_extensions import TypedDict

json.load(sys.stdin)


class Color(Enum):
    red = "red"
    blue = 3


class Level(IntEnum):
    low = 1
    high = 2


class Point(NamedTuple):
    x: int
    y: float


class Movie(TypedDict, total=False):
    name: str
    year: int


@dataclass
class Book:
    title: str
    pages: int = 1


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Node(BaseModel):
    value: int
    children: list["Node"] = []


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int
    __pydantic_extra__: dict[str, int]


class Tags(RootModel[list[str]]):
    pass


TYPES = {
    "str": str,
    "bytes": bytes,
    "int": int,
    "float": float,
    "bool": bool,
    "None": None,
    "Any": Any,
    "Decimal": Decimal,
    "Decimal digits": Annotated[Decimal, Field(max_digits=6, decimal_places=2)],
    "datetime": datetime,
    "date": date,
    "time": time,
    "timedelta": timedelta,
    "UUID": UUID,
    "UUID4": pydantic.UUID4,
    "UUID7": pydantic.UUID7,
    "Path": Path,
    "FilePath": pydantic.FilePath,
    "IPv4Address": IPv4Address,
    "IPv6Address": IPv6Address,
    "IPv4Network": IPv4Network,
    "IPv6Network": IPv6Network,
    "IPv4Interface": IPv4Interface,
    "IPv6Interface": IPv6Interface,
    "IPvAnyAddress": pydantic.IPvAnyAddress,
    "EmailStr": pydantic.EmailStr,
    "NameEmail": pydantic.NameEmail,
    "AnyUrl": pydantic.AnyUrl,
    "HttpUrl": pydantic.HttpUrl,
    "PostgresDsn": pydantic.PostgresDsn,
    "WebsocketUrl": pydantic.WebsocketUrl,
    "SecretStr": pydantic.SecretStr,
    "SecretBytes": pydantic.SecretBytes,
    "Json": pydantic.Json,
    "Json of list": pydantic.Json[list[int]],
    "JsonValue": pydantic.JsonValue,
    "ByteSize": pydantic.ByteSize,
    "Base64Bytes": pydantic.Base64Bytes,
    "Base64Str": pydantic.Base64Str,
    "Base64UrlStr": pydantic.Base64UrlStr,
    "PositiveInt": pydantic.PositiveInt,
    "NonNegativeFloat": pydantic.NonNegativeFloat,
    "StrictStr": pydantic.StrictStr,
    "FiniteFloat": pydantic.FiniteFloat,
    "PastDate": pydantic.PastDate,
    "FutureDatetime": pydantic.FutureDatetime,
    "AwareDatetime": pydantic.AwareDatetime,
    "Pattern": "re.Pattern[str]",
    "conint": Annotated[int, Field(ge=1, lt=10)],
    "multiple_of": Annotated[int, Field(multiple_of=3)],
    "float multiple_of": Annotated[float, Field(multiple_of=0.5, ge=0)],
    "pattern": Annotated[str, Field(pattern=r"^[a-z]+$")],
    "pattern max_length": Annotated[str, Field(pattern=r"^[a-z]+(_[a-z]+)*$", max_length=20)],
    "constr": Annotated[str, Field(min_length=1, max_length=5)],
    "list": list[int],
    "list bounds": Annotated[list[str], Field(min_length=1, max_length=3)],
    "set": set[str],
    "frozenset": frozenset[int],
    "set of enum": set[Color],
    "deque": deque[int],
    "tuple": tuple[int, str],
    "tuple open": tuple[int, ...],
    "dict": dict[str, int],
    "dict int keys": dict[int, str],
    "dict enum keys": dict[Color, int],
    "dict pattern keys": dict[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], int],
    "defaultdict": defaultdict[str, list[int]],
    "OrderedDict": OrderedDict[str, int],
    "NamedTuple": Point,
    "TypedDict": Movie,
    "dataclass": Book,
    "Enum": Color,
    "IntEnum": Level,
    "Literal": Literal["a", 1, None],
    "Optional": Optional[int],
    "Union": Union[int, str],
    "discriminated": Annotated[Union[Cat, Dog], Field(discriminator="kind")],
    "model": Cat,
    "recursive": Node,
    "closed": Closed,
    "open": Open,
    "root model": Tags,
    "type": type[int],
    "Fraction": Fraction,
    "complex": complex,
    "color": Annotated[str, Field(examples=["#fff"], json_schema_extra={"format": "color"})],
}

schemas = {}
for name, kind in TYPES.items():
    if isinstance(kind, str):
        import re

        kind = re.Pattern[str]
    try:
        schemas[name] = create_model("Made", value=(kind, ...)).model_json_schema()
    except pydantic.errors.PydanticInvalidForJsonSchema:
        pass
print(json.dumps(schemas))
