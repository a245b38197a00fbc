// Measures how long a client waits when the device of its reply is killed: the longest gap between two chunks after that, next to the time
// to the first token of a request that is just as new to its device.

import { startSystem, type System } from '../../harness/start-system.ts'
import type { TestedModel } from './kinds.ts'
import { RealDevice } from './real-device.ts'

export interface Seam {
  /** From the fault on. */
  longestGapMs: number
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
    const struck = Promise.withResolvers<number>()
    const undisturbed = await readTimes(system, model, `${run} and nothing happens`)
    killWhicheverAnswers(devices, struck.resolve)
    const { chunksAt } = await readTimes(system, model, `${run} and it happens`)
    yield { longestGapMs: longestGap(chunksAt, await struck.promise), firstTokenMs: undisturbed.firstTokenMs }
    for (const device of devices) await device.recover(true)
  }
}

function killWhicheverAnswers(devices: readonly RealDevice[], onStruck: (at: number) => void): void {
  for (const device of devices)
    device.link.afterBytes(KILL_AFTER_BYTES, () => {
      for (const other of devices) other.link.forget()
      device.strike('killed')
      onStruck(performance.now())
    })
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

function longestGap(chunksAt: readonly number[], from: number): number {
  const gaps = chunksAt.slice(1).map((at, index) => (at < from ? 0 : at - chunksAt[index]!))
  return Math.max(...gaps)
}
