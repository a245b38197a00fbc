"""The instances of MaskBench's files, as its own runner writes them for engines.

Read from standard input: the folder, as JSON. Printed: for each file, texts and whether they are valid.
"""

import json
import pathlib
import sys

texts = {}
for path in pathlib.Path(json.load(sys.stdin)).glob("*.json"):
    tests = json.loads(path.read_text())["tests"]
    texts[path.name] = [(json.dumps(test["data"], indent=None, ensure_ascii=False), test["valid"]) for test in tests]
json.dump(texts, sys.stdout)
