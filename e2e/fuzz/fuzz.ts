// Sends inputs until time or inputs run out, or something breaks. Several are on their way at once; they start in order.

import type { Target } from './target.ts'

export interface FuzzOptions<Input> {
  start: () => Promise<Target<Input>>
  seed: number
  inputs: number
  minutes: number
  /** Called with the number of inputs so far, and how often each kind of response came back. */
  onProgress?: (sent: number, outcomes: ReadonlyMap<string, number>) => void
}

export interface Failure<Input> {
  why: string
  /** The number of the input that did it; undefined if none did it alone. */
  index: number | undefined
  input: Input | undefined
}

const AT_ONCE = 8
/** Between two looks at what the target printed, which is a lot to read. */
const LOOK_EVERY = 50
/** A request may wait for its turn long after the fuzzer has moved on. */
const LOOK_BACK = 500

export async function fuzz<Input>(options: FuzzOptions<Input>): Promise<Failure<Input> | undefined> {
  const trouble = await sendAll(options)
  return trouble && (await findCulprit(options, trouble))
}

interface Trouble {
  why: string
  /** The last input that was sent. */
  last: number
}

async function sendAll<Input>(options: FuzzOptions<Input>): Promise<Trouble | undefined> {
  const { start, seed, inputs, minutes, onProgress } = options
  await using target = await start()
  const until = performance.now() + minutes * 60_000
  let next = 0
  let why: string | undefined
  const keepSending = async () => {
    while (why === undefined && next < inputs && performance.now() < until) {
      const index = next++
      const fault = await target.send(target.createInput(seed, index), index)
      // Not in one line: another one may have failed while this one was on its way.
      why ??= fault
      if (index % LOOK_EVERY === 0) why ??= target.fault()
      onProgress?.(index + 1, target.outcomes)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepSending))
  if (why === undefined) await target.settle()
  why ??= target.fault()
  return why === undefined ? undefined : { why, last: next - 1 }
}

/** Sends the last inputs again, one by one, to a fresh target. */
async function findCulprit<Input>(
  { start, seed }: FuzzOptions<Input>,
  { why, last }: Trouble,
): Promise<Failure<Input>> {
  await using target = await start()
  for (let index = Math.max(0, last - LOOK_BACK); index <= last; index++) {
    const input = target.createInput(seed, index)
    const confirmed = (await target.send(input, index)) ?? target.fault()
    if (confirmed !== undefined) return { why: confirmed, index, input }
  }
  return { why, index: undefined, input: undefined }
}

/** Sends one input that was saved. */
export async function repeat<Input>(start: FuzzOptions<Input>['start'], input: Input): Promise<string | undefined> {
  await using target = await start()
  const why = await target.send(input, 0)
  await target.settle()
  return why ?? target.fault()
}
