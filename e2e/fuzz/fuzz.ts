// Sends inputs until time or inputs run out, or something breaks. Several are on their way at once; they start in order.

import { createInput } from './create-input.ts'
import { FuzzSystem } from './fuzz-system.ts'
import type { Input } from './input.ts'

export interface FuzzOptions {
  seed: number
  inputs: number
  minutes: number
  /** Called with the number of inputs so far, and how often each status came back. */
  onProgress?: (sent: number, statuses: ReadonlyMap<number, number>) => void
}

export interface Failure {
  why: string
  /** The number of the input that did it; undefined if none did it alone. */
  index: number | undefined
  input: Input | undefined
}

const AT_ONCE = 8
/** Between two looks at what the gateway printed, which is a lot to read. */
const LOOK_EVERY = 50
/** A request may wait for its turn long after the fuzzer has moved on. */
const LOOK_BACK = 500

export async function fuzz(options: FuzzOptions): Promise<Failure | undefined> {
  const trouble = await sendAll(options)
  return trouble && (await findCulprit(options.seed, trouble))
}

interface Trouble {
  why: string
  /** The last input that was sent. */
  last: number
}

async function sendAll({ seed, inputs, minutes, onProgress }: FuzzOptions): Promise<Trouble | undefined> {
  await using system = await FuzzSystem.start()
  const until = performance.now() + minutes * 60_000
  let next = 0
  let why: string | undefined
  const keepSending = async () => {
    while (why === undefined && next < inputs && performance.now() < until) {
      const index = next++
      why ??= await system.send(createInput(seed, index, system.surface), index)
      if (index % LOOK_EVERY === 0) why ??= system.fault()
      onProgress?.(index + 1, system.statuses)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepSending))
  if (why === undefined) await system.settle()
  why ??= system.fault()
  return why === undefined ? undefined : { why, last: next - 1 }
}

/** Sends the last inputs again, one by one, to a fresh gateway. */
async function findCulprit(seed: number, { why, last }: Trouble): Promise<Failure> {
  await using system = await FuzzSystem.start()
  for (let index = Math.max(0, last - LOOK_BACK); index <= last; index++) {
    const input = createInput(seed, index, system.surface)
    const confirmed = (await system.send(input, index)) ?? system.fault()
    if (confirmed !== undefined) return { why: confirmed, index, input }
  }
  return { why, index: undefined, input: undefined }
}

/** Sends one input that was saved. */
export async function repeat(input: Input): Promise<string | undefined> {
  await using system = await FuzzSystem.start()
  const why = await system.send(input, 0)
  await system.settle()
  return why ?? system.fault()
}
