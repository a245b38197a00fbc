// The thread beside an event loop. It counts its own looks, not time: while the machine sleeps, it doesn't look. It is JavaScript because a
// thread that reads TypeScript takes 27 MB, and this one takes 9.

import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 1_000
/** Before the supervisor loses its patience, which is 15 s. */
const LOOKS = 10
const PAUSE_MS = 2_000
const FATAL = 60
const STANDARD_ERROR = 2

/** @type {Int32Array} */
const beats = workerData
let seen = -1
let looks = 0

setInterval(() => {
  const now = Atomics.load(beats, 0)
  looks = now === seen ? looks + 1 : 0
  seen = now
  if (looks === LOOKS) void describeHang()
}, LOOK_MS)

async function describeHang() {
  const stack = await stopAndLook()
  const line = { level: FATAL, time: Date.now(), stack, msg: `the event loop has not turned for ${LOOKS} s` }
  // Written directly: the usual way leads through the thread that hangs.
  writeSync(STANDARD_ERROR, `${JSON.stringify(line)}\n`)
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
  const timer = setTimeout(() => paused.resolve(['not in JavaScript: it waits for the system']), PAUSE_MS)
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
