"""Reads every list of the API, checks it against types written from the specification, and prints how many records each has."""

import base64
import json
import os
import types
import typing
import urllib.request
from typing import Any, Literal, NotRequired, TypedDict


class Account(TypedDict):
    parent: NotRequired[int]
    name: str
    status: Literal["Active", "Suspend"]
    count: int


class Address(TypedDict):
    address: str
    type: Literal["email", "twitter", "sms", "webhook", "voice"]
    status: str
    suppressup: NotRequired[bool]
    suppressdown: NotRequired[bool]
    suppressfirst: NotRequired[bool]
    suppressall: NotRequired[bool]


class Contact(TypedDict):
    _id: str
    type: Literal["contact"]
    customer_id: str
    name: str
    custrole: Literal["owner", "edit", "view", "notify"]
    addresses: NotRequired[dict[str, Address]]


class Group(TypedDict):
    _id: str
    type: Literal["group"]
    customer_id: str
    name: str
    members: list[str]


# A legacy token shows it as it was sent.
Exclude = Literal[0, 1] | bool if os.environ["MODE"] == "legacy" else Literal[0, 1]


class Day(TypedDict):
    time1: NotRequired[str]
    time2: NotRequired[str]
    exclude: NotRequired[Exclude]


class Recipient(TypedDict):
    schedule: str
    delay: int


class Profile(TypedDict):
    _id: str
    type: Literal["notificationprofile"]
    customer_id: str
    name: str
    notifications: list[dict[str, Recipient]]


class Parameters(TypedDict):
    target: NotRequired[str]
    threshold: str | int
    sens: NotRequired[str | int]
    port: NotRequired[int]
    statuscode: NotRequired[int]
    warningdays: NotRequired[int]
    follow: NotRequired[bool]


class Check(TypedDict):
    _id: str
    _rev: str
    customer_id: str
    label: str
    type: str
    interval: int
    notifications: list[dict[str, Any]]
    status: Literal["assigned", "modified"]
    modified: int
    created: int
    enable: str
    public: bool
    parameters: Parameters
    queue: str
    uuid: str
    state: NotRequired[Literal[0, 1]]
    firstdown: Literal[False] | int


class Result(TypedDict):
    _id: str
    ci: str
    t: str
    tg: str
    th: str
    i: str
    ra: str
    q: str
    s: int
    sc: str
    m: str
    su: bool
    rt: int
    e: int
    l: dict[str, Any]


class Uptime(TypedDict):
    enabled: int
    down: int
    uptime: NotRequired[int | float]


class Event(TypedDict):
    type: Literal["disabled", "down"]
    label: str
    t: int


def check(value, expected, path):
    """Raises TypeError unless the value has the type; members that the specification does not name may be there."""
    origin, args = typing.get_origin(expected), typing.get_args(expected)
    if expected is Any:
        return
    if origin is Literal:
        # False equals 0, and True equals 1.
        fits = any(type(value) is type(each) and value == each for each in args)
    elif origin is types.UnionType or origin is typing.Union:
        fits = any(matches(value, each, path) for each in args)
    elif origin is NotRequired:
        return check(value, args[0], path)
    elif origin is list:
        fits = type(value) is list
        if fits:
            for index, each in enumerate(value):
                check(each, args[0], f"{path}[{index}]")
    elif origin is dict:
        fits = type(value) is dict
        if fits:
            for key, each in value.items():
                check(each, args[1], f"{path}.{key}")
    elif typing.is_typeddict(expected):
        fits = type(value) is dict
        if fits:
            missing = expected.__required_keys__ - value.keys()
            if missing:
                raise TypeError(f"{path}: no {', '.join(sorted(missing))}")
            for name, each in typing.get_type_hints(expected).items():
                if name in value:
                    check(value[name], each, f"{path}.{name}")
    else:
        # isinstance would take a boolean for a number.
        fits = type(value) is expected
    if not fits:
        raise TypeError(f"{path}: {json.dumps(value)} is not {expected}")


def matches(value, expected, path):
    try:
        check(value, expected, path)
        return True
    except TypeError:
        return False


def read(path, expected):
    request = urllib.request.Request(f"{os.environ['API']}/{path}")
    credentials = base64.b64encode(f"{os.environ['TOKEN']}:".encode()).decode()
    request.add_header("Authorization", f"Basic {credentials}")
    with urllib.request.urlopen(request) as response:
        value = json.load(response)
    check(value, expected, path)
    return value


counts = {
    "accounts": len(read("accounts", dict[str, Account])),
    "contacts": len(read("contacts", dict[str, Contact])),
    "contactgroups": len(read("contactgroups", dict[str, Group])),
    "schedules": len(read("schedules", dict[str, dict[str, Day]])),
    "notificationprofiles": len(read("notificationprofiles", dict[str, Profile])),
    "checks": 0,
    "events": len(read("results/current", dict[str, Event])),
    "results": 0,
    "notifications": len(read("notifications", list[dict[str, Any]])),
}
for check_id in read("checks", dict[str, Check]):
    counts["checks"] += 1
    counts["results"] += len(read(f"results/{check_id}?clean=true", list[Result]))
    read(f"results/uptime/{check_id}", dict[str, Uptime])
    assert read(f"checks/{check_id}", Check)["_id"] == check_id
print(json.dumps(counts))
