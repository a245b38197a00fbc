"""Uses the official Python client as a program would and prints what it saw, as one JSON object: case -> result.

What the device answers is chosen by the last message; the checks are made by the test that started this script.
"""

import asyncio
import json
import os

import openai

BASE = os.environ["HEARTH_BASE"]
KEY = os.environ["HEARTH_KEY"]
MODELS = json.loads(os.environ["HEARTH_MODELS"])
TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}

client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)


def ask(content="hi", **fields):
    return {"model": MODELS["full"], "messages": [{"role": "user", "content": content}], **fields}


def create():
    completion = client.chat.completions.create(**ask())
    return {
        "content": completion.choices[0].message.content,
        "total": completion.usage.total_tokens,
        "request_id": completion._request_id,
    }


def raw_headers():
    response = client.chat.completions.with_raw_response.create(**ask(seed=1))
    return {"ignored": response.headers.get("x-service-ignored-params"), "parsed": response.parse().choices[0].finish_reason}


def stream():
    chunks = list(client.chat.completions.create(**ask(), stream=True, stream_options={"include_usage": True}))
    return {
        "content": "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
        "finishes": [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices and chunk.choices[0].finish_reason],
        "total": chunks[-1].usage.total_tokens,
    }


def open_helper(**fields):
    completions = client.chat.completions
    if not hasattr(completions, "stream"):
        completions = client.beta.chat.completions
    return completions.stream(**fields)


def helper():
    with open_helper(**ask()) as events:
        deltas = [event.delta for event in events if event.type == "content.delta"]
        final = events.get_final_completion()
    return {"deltas": "".join(deltas), "content": final.choices[0].message.content, "finish": final.choices[0].finish_reason}


def helper_calls():
    with open_helper(**ask("call"), tools=[TOOL]) as events:
        events.until_done()
        message = events.get_final_completion().choices[0].message
    call = message.tool_calls[0]
    return {"name": call.function.name, "arguments": call.function.arguments, "content": message.content}


def models():
    listed = sorted(model.id for model in client.models.list())
    retrieved = [client.models.retrieve(name).id for name in (MODELS["full"], MODELS["lonely"])]
    return {"listed": listed, "retrieved": retrieved}


def raised(action):
    try:
        action()
    except openai.APIError as error:
        return {
            "class": type(error).__name__,
            "status": getattr(error, "status_code", None),
            "code": error.code,
            "param": error.param,
            "type": error.type,
            "request_id": getattr(error, "request_id", None),
        }
    return None


def errors():
    stranger = client.with_options(api_key="sk-hearth-wrong")
    create = client.chat.completions.create
    return {
        "400": raised(lambda: create(**ask(temperature=9))),
        "401": raised(lambda: stranger.models.list()),
        "403": raised(lambda: create(**{**ask(), "model": MODELS["disabled"]})),
        "404": raised(lambda: create(**{**ask(), "model": MODELS["unknown"]})),
        "404 model": raised(lambda: client.models.retrieve(MODELS["unknown"])),
        "503": raised(lambda: create(**{**ask(), "model": MODELS["lonely"]})),
        "503 stream": raised(lambda: create(**{**ask(), "model": MODELS["lonely"]}, stream=True)),
    }


def stream_error():
    texts = []

    def read():
        for chunk in client.chat.completions.create(**ask("fail"), stream=True):
            texts.append(chunk.choices[0].delta.content or "")

    return {"error": raised(read), "content": "".join(texts)}


async def asynchronous():
    async with openai.AsyncOpenAI(base_url=BASE, api_key=KEY, max_retries=0) as concurrent:
        completion = await concurrent.chat.completions.create(**ask())
        texts = [chunk.choices[0].delta.content or "" async for chunk in await concurrent.chat.completions.create(**ask(), stream=True)]
        names = sorted([model.id async for model in concurrent.models.list()])
    return {"content": completion.choices[0].message.content, "streamed": "".join(texts), "listed": names}


CASES = [create, raw_headers, stream, helper, helper_calls, models, errors, stream_error]
results = {case.__name__: case() for case in CASES}
results["asynchronous"] = asyncio.run(asynchronous())
print(json.dumps({"version": openai.__version__, **results}))
