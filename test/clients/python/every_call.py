"""Makes the calls of a file by the clients that openapi-python-client has made, and prints what each was answered with."""

import importlib
import json
import pkgutil
import re
import sys
import typing

folder, calls_file = sys.argv[1:]
sys.path.insert(0, folder)


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def operation_of(component, name):
    package = importlib.import_module(f"{component}.api")
    for module in pkgutil.walk_packages(package.__path__, f"{component}.api."):
        if module.name.endswith(f".{name}"):
            return importlib.import_module(module.name)
    raise LookupError(f"{component} has no {name}")


def body_of(operation, value):
    annotation = typing.get_type_hints(operation.sync_detailed)["body"]
    kinds = typing.get_args(annotation) or (annotation,)
    return next(kind for kind in kinds if hasattr(kind, "from_dict")).from_dict(value)


def argument_of(operation, name, value):
    annotation = typing.get_type_hints(operation.sync_detailed)[name]
    kinds = typing.get_args(annotation) or (annotation,)
    enums = [kind for kind in kinds if hasattr(kind, "__members__")]
    return enums[0](value) if enums else value


with open(calls_file) as file:
    plan = json.load(file)

for call in plan["calls"]:
    component = call["component"]
    client_module = importlib.import_module(f"{component}.client")
    url = plan["addresses"][component]
    caller = call.get("as")
    if caller == "service":
        client = client_module.AuthenticatedClient(url, plan["service"], prefix="", auth_header_name="X-Service-API-Key")
    elif caller == "administrator":
        client = client_module.AuthenticatedClient(url, plan["administrator"])
    else:
        client = client_module.Client(url)
    operation = operation_of(component, snake(call["operation"]))
    values = {**call.get("path", {}), **call.get("query", {})}
    arguments = {name: argument_of(operation, name, value) for name, value in values.items()}
    if "body" in call:
        arguments["body"] = body_of(operation, call["body"])
    answer = operation.sync_detailed(client=client, **arguments)
    print(json.dumps({"operation": f"{component} {call['operation']}", "status": int(answer.status_code), "parsed": answer.parsed is not None}))
