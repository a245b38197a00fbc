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


def pieces(request):
    """Put your model here. Yields the reply, token by token."""
    words = re.findall(r"\s*\S{1,4096}|\s+", request["messages"][-1]["content"])
    if len(words) > MODEL["contextLength"]:
        raise OverflowError(f"The prompt has {len(words)} words, the model takes {MODEL['contextLength']}")
    reply = ""
    for word in words:
        begun, reply = len(reply), reply + word
        ends = [reply.find(stop) + len(stop) for stop in request.get("stop", []) if stop in reply]
        yield reply[begun : min(ends, default=None)]
        if ends:
            return


class Link:
    """One connection, and the job that runs on it. A job is named by `job` and `attempt`."""

    def __init__(self, socket):
        self.socket, self.welcome, self.restart_s = socket, None, 0
        self.parts = {}  # job-starts by name, with the parts of their requests that have come
        self.job, self.task, self.may_go_on = None, None, asyncio.Event()

    async def send(self, type, **fields):
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def hold(self):
        await self.send("hello", **HELLO)
        while True:
            pings_ms = self.welcome["pingBusyMs" if self.job else "pingIdleMs"] if self.welcome else 3_333
            frames = json.loads(await asyncio.wait_for(self.socket.recv(), 3 * pings_ms / 1000))
            for frame in frames if isinstance(frames, list) else [frames]:
                await self.take(frame, (frame.get("job"), frame.get("attempt")))

    async def take(self, frame, name):
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
            case "job-pause" if name == self.job:
                self.may_go_on.clear()
            case "job-resume" if name == self.job:
                self.may_go_on.set()
            case "job-cancel":
                self.parts.pop(name, None)
                if name == self.job:
                    await self.stop()
                print("Cancelled:", name[0], frame["reason"])
                await self.send("job-cancelled", job=name[0], attempt=name[1])
            case "restarting":
                self.restart_s = frame["reconnectInMs"] / 1000
            case "notice":
                print("The gateway says:", frame["text"])

    async def stop(self):
        if self.job:
            self.job = None
            self.task.cancel()
            await asyncio.wait([self.task])

    async def start(self, name, frame, request):
        attempt = {"job": name[0], "attempt": name[1]}
        if frame["organization"] != self.welcome["organization"]:
            return await self.send("job-refuse", **attempt, reason="wrong-organization")
        if request["model"] != MODEL["name"] or self.job:
            return await self.send("job-refuse", **attempt, reason="busy" if self.job else "not-loaded")
        await self.send("job-accept", **attempt)
        self.may_go_on.set()
        self.job, self.task = name, asyncio.create_task(self.answer(attempt, request))

    async def answer(self, attempt, request):
        sequence, finish = 0, "stop"
        try:
            for piece in pieces(request):
                if sequence == request.get("maxTokens"):
                    finish = "length"
                    break
                await self.may_go_on.wait()
                await self.send("job-delta", **attempt, sequence=sequence, choice=0, text=piece)
                sequence += 1
                await asyncio.sleep(0.02)  # a model takes its time
            end = {"type": "job-end", "sequence": sequence, "finishes": [finish]}
        except OverflowError as error:
            end = {"type": "job-error", "code": "context_length_exceeded", "message": str(error)}
            end |= {"retryable": False, "crashed": False}
        self.job = None
        await self.send(**end, **attempt)


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
    finally:
        await link.stop()


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
