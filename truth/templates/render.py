"""Renders chat templates with transformers' own environment: reads a list of jobs as JSON, writes a list of texts or errors."""

import json
import sys

from transformers.utils.chat_template_utils import _compile_jinja_template


def render(job):
    try:
        return {"text": _compile_jinja_template(job["source"]).render(**job["variables"])}
    except Exception as error:  # a template rejects messages by raising anything it likes
        return {"error": f"{type(error).__name__}: {error}"}


print(json.dumps([render(job) for job in json.load(sys.stdin)]))
