// The thread beside an event loop. It counts its own looks, not time: while the machine sleeps, it doesn't look. It is JavaScript because a
// thread that reads TypeScript takes 27 MB, and this one takes 9.

import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 1_000
/** Before the supervisor loses its patience, which takes 15 s or longer. */
const LOOKS = 10
const PAUSE_MS = 2_000
/** It may only be slow: whether it is stuck, the supervisor decides. */
const WARNING = 40
const STANDARD_ERROR = 2
/** As getconf CLK_TCK says on every Linux that Node runs on. */
const TICK_MS = 10

/** @type {Int32Array} */
const beats = workerData
let seen = -1
let looks = 0
/** When the last silence began. */
let before = readMainThread()

setInterval(() => {
  const now = Atomics.load(beats, 0)
  looks = now === seen ? looks + 1 : 0
  seen = now
  if (looks === 1) before = readMainThread()
  if (looks === LOOKS) void describeHang()
}, LOOK_MS)

async function describeHang() {
  const after = readMainThread()
  const stack = await stopAndLook()
  const known = { mainThread: after.state, cpuMs: after.cpuMs - before.cpuMs, stack }
  const msg = `the event loop has not turned for ${LOOKS} s`
  const line = { level: WARNING, time: Date.now(), ...known, msg }
  // Written directly: the usual way leads through the thread that hangs.
  writeSync(STANDARD_ERROR, `${JSON.stringify(line)}\n`)
}

/** What the system says. Elsewhere than on Linux, it knows only of all threads together. */
function readMainThread() {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
    // The program's name is in parentheses, and may contain anything.
    const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: nameState(state), cpuMs: (Number(rest[10]) + Number(rest[11])) * TICK_MS }
  } catch {
    const { user, system } = process.cpuUsage()
    return { state: 'unknown', cpuMs: Math.round((user + system) / 1_000) }
  }
}

/** @param {string | undefined} letter */
function nameState(letter) {
  if (letter === 'R') return 'runs, or waits for a core'
  return letter === 'D' ? 'waits for the disk' : 'waits for the system'
}

/**
 * Names and places of functions, never values: those may hold prompts.
 * @returns {Promise<string[]>}
 */
async function stopAndLook() {
  const session = new Session()
  /** @type {Map<string, string>} */
  const files = new Map()
  /** @type {PromiseWithResolvers<string[]>} */
  const paused = Promise.withResolvers()
  const timer = setTimeout(
    () => paused.resolve([`it came to no line of JavaScript for ${PAUSE_MS / 1_000} s`]),
    PAUSE_MS,
  )
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) =>
    paused.resolve(
      params.callFrames.map(
        ({ functionName, location: { scriptId, lineNumber } }) =>
          `${functionName || '(anonymous)'} ${files.get(scriptId)}:${lineNumber + 1}`,
      ),
    ),
  )
  session.connectToMainThread()
  session.post('Debugger.enable')
  session.post('Debugger.pause')
  const stack = await paused.promise
  clearTimeout(timer)
  // The other thread runs on: it may only have been slow.
  session.disconnect()
  return stack
}
