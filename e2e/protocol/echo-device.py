"""A device that repeats what it is asked, as docs/protocol.md describes one.

  python3 echo-device.py https://hearth.example.com he-hearth-…

Its credential stays in this folder, so the token is needed once.
"""

import asyncio, json, os, random, re, sys, time, urllib.request, uuid
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

MODEL = {"name": "echo", "contextLength": 32768, "slots": 1, "features": []}
HELLO = {"protocols": [1], "app": "echo/1", "boot": str(uuid.uuid4()), "engine": "echo", "models": [MODEL]}
CREDENTIAL = "credential.json"
FINAL = {401, 4401, 4409, 4423, 4426}  # what connecting again doesn't change
WINDOWS_S = [1, 2, 4, *[7] * 17, 14, 28, 56]


class TooLong(Exception):
    pass


def pieces(request):
    """Put your model here. Yields the reply, token by token."""
    words = re.findall(r"\s*\S{1,4096}|\s+", request["messages"][-1]["content"])
    if len(words) > MODEL["contextLength"]:
        raise TooLong(f"The prompt has {len(words)} words, the model takes {MODEL['contextLength']}")
    reply = ""
    for word in words:
        begun, reply = len(reply), reply + word
        ends = [reply.find(stop) + len(stop) for stop in request.get("stop", []) if stop in reply]
        yield reply[begun : min(ends, default=None)]
        if ends:
            return


class Link:
    """One connection, and the jobs that run on it. A job is named by `job` and `attempt`."""

    def __init__(self, socket):
        self.socket = socket
        self.welcome = None
        self.parts = {}  # its job-start, and the texts that have come
        self.jobs = {}  # its task, and an event that is clear while it is paused
        self.restart_s = 0

    async def send(self, type, **fields):
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def hold(self):
        try:
            await self.send("hello", **HELLO)
            while True:
                frames = json.loads(await asyncio.wait_for(self.socket.recv(), self.patience_s()))
                for frame in frames if isinstance(frames, list) else [frames]:
                    await self.take(frame)
        finally:
            for task, _ in self.jobs.values():
                task.cancel()

    def patience_s(self):
        if self.welcome is None:
            return 10
        return 3 * self.welcome["pingBusyMs" if self.jobs else "pingIdleMs"] / 1000

    async def take(self, frame):
        name = (frame.get("job"), frame.get("attempt"))
        match frame["type"]:
            case "welcome":
                self.welcome = frame
                print("Connected as", frame["device"])
            case "ping":
                await self.send("pong")
            case "job-start" if "parts" in frame:
                self.parts[name] = (frame, [])
            case "job-start":
                await self.start(name, frame, frame["request"])
            case "job-part" if name in self.parts:
                start, texts = self.parts[name]
                texts.append(frame["text"])
                if len(texts) == start["parts"]:
                    del self.parts[name]
                    whole = "".join(texts).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
                    await self.start(name, start, json.loads(whole))
            case "job-pause" if name in self.jobs:
                self.jobs[name][1].clear()
            case "job-resume" if name in self.jobs:
                self.jobs[name][1].set()
            case "job-cancel":
                await self.cancel(name, frame["reason"])
            case "restarting":
                self.restart_s = frame["reconnectInMs"] / 1000
            case "notice":
                print("The gateway says:", frame["text"])

    async def start(self, name, frame, request):
        attempt = dict(zip(("job", "attempt"), name))
        if frame["organization"] != self.welcome["organization"]:
            return await self.send("job-refuse", **attempt, reason="wrong-organization")
        if request["model"] != MODEL["name"]:
            return await self.send("job-refuse", **attempt, reason="not-loaded")
        if len(self.jobs) >= MODEL["slots"]:
            return await self.send("job-refuse", **attempt, reason="busy")
        await self.send("job-accept", **attempt)
        may_go_on = asyncio.Event()
        may_go_on.set()
        self.jobs[name] = (asyncio.create_task(self.answer(name, attempt, request, may_go_on)), may_go_on)

    async def answer(self, name, attempt, request, may_go_on):
        sequence, finish = 0, "stop"
        try:
            for piece in pieces(request):
                if sequence == request.get("maxTokens"):
                    finish = "length"
                    break
                await may_go_on.wait()
                await self.send("job-delta", **attempt, sequence=sequence, choice=0, text=piece)
                sequence += 1
                await asyncio.sleep(0.02)  # a model takes its time
            end = {"type": "job-end", "sequence": sequence, "finishes": [finish]}
        except TooLong as error:
            end = {"type": "job-error", "code": "context_length_exceeded", "message": str(error)}
            end |= {"retryable": False, "crashed": False}
        del self.jobs[name]
        await self.send(**end, **attempt)

    async def cancel(self, name, reason):
        self.parts.pop(name, None)
        task, _ = self.jobs.pop(name, (None, None))
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        print("Cancelled:", name[0], reason)
        await self.send("job-cancelled", job=name[0], attempt=name[1])


def enrol(gateway, token):
    body = json.dumps({"token": token, "name": "echo"}).encode()
    request = urllib.request.Request(gateway + "/device/v1/enrol", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        login = reply.read()
    with open(os.open(CREDENTIAL, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(login)


async def connect_once(gateway, credential):
    """Holds one link to its end. Returns why it ended, and how long the gateway wants us to wait."""
    address = re.sub("^http", "ws", gateway) + "/device/v1/link"
    headers = {"authorization": f"Bearer {credential}"}
    link = Link(None)
    try:
        async with connect(address, additional_headers=headers, compression=None, ping_interval=None) as link.socket:
            await link.hold()
    except InvalidStatus as rejected:
        return rejected.response.status_code, float(rejected.response.headers.get("retry-after", 0))
    except ConnectionClosed as closed:
        return closed.rcvd and closed.rcvd.code, link.restart_s
    except (OSError, WebSocketException) as error:
        return error, 0


async def main(gateway, token=None):
    if not os.path.exists(CREDENTIAL):
        enrol(gateway, token)
    with open(CREDENTIAL, "rb") as file:
        credential = json.load(file)["credential"]
    failures = 0
    while True:
        begun = time.monotonic()
        why, wait_s = await connect_once(gateway, credential)
        if why in FINAL:
            sys.exit(f"Stopped: {why}")
        failures = 0 if time.monotonic() - begun > 10 else failures
        wait_s += random.uniform(0, WINDOWS_S[min(failures, len(WINDOWS_S) - 1)])
        failures += 1
        print(f"The link ended: {why}. Connecting again in {wait_s:.1f} s")
        await asyncio.sleep(wait_s)


asyncio.run(main(*sys.argv[1:]))
