"""Builds the collection: schemas that other people wrote, with valid and invalid instances.

Usage: collect.py <folder with the unpacked packages> <folder for the result>. It needs jsonschema, hypothesis-jsonschema and hypothesis 6.100. Instances come
from the sources where they have some (answers of function calls, examples of API bodies); the others are generated from the schema. Invalid
instances are valid ones with one thing changed. The package jsonschema judges all of them.
"""

import copy
import json
import random
import sys
import warnings
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, given, settings
from hypothesis_jsonschema import from_schema
from jsonschema import Draft7Validator, Draft202012Validator

SOURCES, RESULT = Path(sys.argv[1]), Path(sys.argv[2])
MOST_BYTES = 2200
ANNOTATIONS = {"description", "title", "examples", "example", "default", "$comment", "markdownDescription", "deprecated", "readOnly", "externalDocs"}
MAPS = {"properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas"}
warnings.filterwarnings("ignore")
random.seed(16)


def plain(schema):
    """The schema without annotations."""
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for key, value in schema.items():
        if key in ANNOTATIONS or key.startswith("x-"):
            continue
        made[key] = {name: plain(inner) for name, inner in value.items()} if key in MAPS and isinstance(value, dict) else plain(value)
        if key in ("enum", "const", "required"):
            made[key] = value
    return made


def rebuilt(schema, change):
    """Every object of it is changed, the inner ones first."""
    if isinstance(schema, list):
        return [rebuilt(item, change) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return change({key: rebuilt(value, change) for key, value in schema.items()})


def openapi(schema):
    """OpenAPI 3.0 has a keyword of its own for null."""
    return rebuilt(schema, with_null)


def with_null(made):
    if made.pop("nullable", False) is True and "type" in made:
        made["type"] = [made["type"], "null"]
        if "enum" in made and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
    return made


TYPES = {"dict": "object", "float": "number", "tuple": "array", "Integer": "integer", "Dict": "object", "String": "string", "Boolean": "boolean", "ArrayList": "array", "Array": "array", "long": "integer", "double": "number", "HashMap": "object", "char": "string"}


def python_types(schema):
    return rebuilt(schema, with_json_type)


def with_json_type(made):
    if isinstance(made.get("type"), str):
        made["type"] = TYPES.get(made["type"], made["type"])
        if made["type"] == "any":
            del made["type"]
    return made


def first_answer(answer):
    """The sources list several right answers for each argument; an empty text means that it can be left out."""
    if not isinstance(answer, list) or not answer:
        return answer
    chosen = next((one for one in answer if one != ""), "")
    if isinstance(chosen, dict):
        return {name: value for name, value in ((name, first_answer(inner)) for name, inner in chosen.items()) if value != ""}
    if isinstance(chosen, list):
        return [{name: first_answer(inner) for name, inner in item.items()} if isinstance(item, dict) else item for item in chosen]
    return chosen


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def functions():
    data = SOURCES / "bfcl_eval" / "data"
    for name in ["simple_python", "live_simple", "multiple", "parallel_multiple", "live_multiple", "simple_javascript"]:
        answers = {entry["id"]: entry["ground_truth"] for entry in lines(data / "possible_answer" / f"BFCL_v4_{name}.json")}
        for entry in lines(data / f"BFCL_v4_{name}.json"):
            for call in answers.get(entry["id"], []):
                [(called, arguments)] = call.items()
                function = next((one for one in entry["function"] if one["name"] == called), None)
                if function is None:
                    continue
                given_arguments = {key: first_answer(value) for key, value in arguments.items()}
                instance = {key: value for key, value in given_arguments.items() if value != ""}
                yield f"function {called}", plain(python_types(function["parameters"])), [instance]


def bodies():
    api = json.loads((SOURCES / "package" / "generated" / "api.github.com.deref.json").read_text())
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "schema" in content:
                examples = [example.get("value") for example in content.get("examples", {}).values()]
                yield f"body {method} {path}", plain(openapi(content["schema"])), [one for one in examples if one is not None]


def answers():
    api = json.loads((SOURCES / "package" / "generated" / "api.github.com.deref.json").read_text())
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            for status, response in operation.get("responses", {}).items():
                content = response.get("content", {}).get("application/json", {})
                examples = [example.get("value") for example in content.get("examples", {}).values()]
                if "schema" in content and examples:
                    yield f"answer {method} {path} {status}", plain(openapi(content["schema"])), [one for one in examples if one is not None]


def configurations():
    folder = SOURCES / "cfnlint" / "data" / "schemas" / "resources"
    for path in sorted(folder.glob("*.json")):
        schema = json.loads(path.read_text())
        kept = {key: value for key, value in schema.items() if key in {*MAPS, "type", "required", "additionalProperties", "allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentRequired", "requiredXor", "minProperties"}}
        yield f"configuration {schema.get('typeName', path.stem)}", plain({"type": "object", **kept}), None


def is_usable(schema):
    text = json.dumps(schema)
    return isinstance(schema, dict) and 60 < len(text) <= MOST_BYTES and "requiredXor" not in text and "http" not in text.replace("http://json-schema", "")


def is_realistic(value):
    """Generators like control characters, huge numbers and names that the schema doesn't know; people don't."""
    if isinstance(value, dict):
        return all(is_realistic(name) and is_realistic(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(map(is_realistic, value))
    if isinstance(value, str):
        return value.isascii() and (value.isprintable() or value == "")
    return isinstance(value, (bool, type(None))) or (abs(value) < 10**9 and round(value, 6) == value)


def generated(schema):
    found = []

    @settings(max_examples=20, database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[hypothesis.Phase.generate])
    @hypothesis.seed(16)
    @given(from_schema(schema, allow_x00=False, codec="ascii"))
    def collect(value):
        found.append(value)

    try:
        collect()
    except Exception:
        return []
    unique = {json.dumps(value): value for value in found if is_realistic(value)}
    return sorted(unique.values(), key=lambda value: -len(json.dumps(value)))[1:4]


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(value, path, change):
    if not path:
        return change(value)
    made = copy.copy(value)
    made[path[0]] = changed(value[path[0]], path[1:], change)
    return made


def without(path):
    def drop(value):
        return {key: inner for key, inner in value.items() if key != path[-1]} if isinstance(value, dict) else value

    return lambda value: changed(value, path[:-1], drop)


WRONG = [
    lambda value: 7 if isinstance(value, str) else "wrong",
    lambda value: None,
    lambda value: f"{value} \u0007?!" if isinstance(value, str) else [value],
    lambda value: -(10**9) - 0.5 if isinstance(value, (int, float)) else {},
    lambda value: {**value, "surprise": 1} if isinstance(value, dict) else value,
    lambda value: value * 40 if isinstance(value, (str, list)) and value else value,
]


def mutations(value):
    for path in places(value):
        if path and isinstance(path[-1], str):
            yield without(path)(value)
        for wrong in WRONG:
            yield changed(value, path, wrong)


def invalid_from(valid, validator):
    made = [one for value in valid for one in mutations(value)]
    random.shuffle(made)
    wrong = {json.dumps(one): one for one in made[:400] if not validator.is_valid(one)}
    return list(wrong.values())[:3]


def entry(name, schema, instances):
    kind = Draft7Validator if "definitions" in schema or isinstance(schema.get("items"), list) else Draft202012Validator
    try:
        kind.check_schema(schema)
        validator = kind(schema)
        candidates = generated(schema) if instances is None else instances
        valid = [one for one in candidates if validator.is_valid(one)][:2]
        invalid = invalid_from(valid, validator)
    except Exception:
        return None
    small = [one for one in valid if len(json.dumps(one)) < 1500]
    return {"name": name, "schema": schema, "valid": small, "invalid": [one for one in invalid if len(json.dumps(one)) < 1500]} if small and invalid else None


def choose(source, most, seen):
    chosen = []
    for name, schema, instances in source:
        key = json.dumps(schema, sort_keys=True)
        if len(chosen) == most or key in seen or not is_usable(schema):
            continue
        made = entry(name, schema, instances)
        if made is not None:
            seen.add(key)
            chosen.append(made)
    return chosen


def shuffled(source):
    everything = list(source)
    random.shuffle(everything)
    return everything


seen = set()
for name, source, most in [("functions", functions(), 260), ("bodies", bodies(), 150), ("answers", answers(), 80), ("configurations", configurations(), 40)]:
    chosen = choose(shuffled(source), most, seen)
    (RESULT / f"{name}.jsonl").write_text("".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in chosen))
    print(name, len(chosen))
