// Measures how long a client waits when the device of its reply is killed, and where that time goes: until the other device has the job, until
// it says so, and from there until the client has the next token, which is mostly the time that the device reads the prompt.

import { startSystem, type System } from '../../harness/start-system.ts'
import type { TestedModel } from './kinds.ts'
import { RealDevice } from './real-device.ts'

export interface Seam {
  /** From the last chunk before the fault to the next token of the other device. */
  gapMs: number
  /** From the fault until the other device gets the job. */
  offeredMs: number
  /** From there until it answers for the first time. */
  answeredMs: number
  /** From there until the client gets the next token. */
  readMs: number
  /** The first token of a request that is just as new to its device. */
  firstTokenMs: number
}

/** A prompt of about 300 tokens. */
const FILLER = 'The house stands by the sea, and everybody in it has a story to tell. '.repeat(16)
const KILL_AFTER_BYTES = 3_000

export async function* measureSeams(model: TestedModel, runs: number): AsyncGenerator<Seam> {
  await using system = await startSystem({ devices: 'none' })
  await using first = await RealDevice.start(system, model, 'first')
  await using second = await RealDevice.start(system, model, 'second')
  const devices = [first, second]
  for (let run = 0; run < runs; run++) {
    const struck = Promise.withResolvers<Strike>()
    const undisturbed = await readTimes(system, model, `${run} and nothing happens`)
    killWhicheverAnswers(devices, struck.resolve)
    const { chunksAt } = await readTimes(system, model, `${run} and it happens`)
    yield { ...splitGap(chunksAt, await struck.promise), firstTokenMs: undisturbed.firstTokenMs }
    for (const device of devices) await device.recover(true)
  }
}

interface Strike {
  at: number
  /** When something passed the link of the other device after that. */
  toDevice: number[]
  fromDevice: number[]
}

function killWhicheverAnswers(devices: readonly RealDevice[], onStruck: (strike: Strike) => void): void {
  for (const device of devices)
    device.link.afterBytes(KILL_AFTER_BYTES, () => {
      for (const other of devices) other.link.forget()
      const strike: Strike = { at: performance.now(), toDevice: [], fromDevice: [] }
      device.strike('killed')
      for (const other of devices)
        if (other !== device)
          other.link.watch((direction) =>
            strike[direction === 'to device' ? 'toDevice' : 'fromDevice'].push(performance.now()),
          )
      onStruck(strike)
    })
}

/** Chunks that were on their way come right after the fault; the other device's come after its answer. */
function splitGap(chunksAt: readonly number[], { at, toDevice, fromDevice }: Strike) {
  const offeredAt = toDevice[0]!
  const answeredAt = fromDevice.find((time) => time > offeredAt)!
  const nextAt = chunksAt.find((time) => time > answeredAt)!
  const lastAt = chunksAt.findLast((time) => time < nextAt)!
  return {
    gapMs: nextAt - lastAt,
    offeredMs: offeredAt - at,
    answeredMs: answeredAt - offeredAt,
    readMs: nextAt - answeredAt,
  }
}

/** `topic` comes first, so that no device has the prompt in its cache. */
async function readTimes(system: System, { name }: TestedModel, topic: string) {
  const askedAt = performance.now()
  const messages = [{ role: 'user', content: `Story number ${topic}. ${FILLER} Tell me one.` }]
  const { events } = await system.client.openStream({ model: name, messages, temperature: 0, max_tokens: 60 })
  const chunksAt: number[] = []
  for await (const event of events) {
    if (event.kind === 'error') throw new Error(`The reply ended with an error: ${event.text}`)
    chunksAt.push(performance.now())
  }
  return { chunksAt, firstTokenMs: chunksAt[0]! - askedAt }
}
