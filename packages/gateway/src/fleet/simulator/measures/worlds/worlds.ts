// Fleets and arrivals for measuring how long answers take. Times are milliseconds, prompts are counted in characters and answers in tokens.

import type { Prefix } from '@hearth/chat'
import type { Random } from '../../random.ts'

export interface World {
  readonly name: string
  readonly devices: readonly Machine[]
  readonly requests: (random: Random, everyMs: number) => Generator<WorldRequest>
  /** Characters that a device has to read of an ordinary request. */
  readonly usualRead: number
  /** How busy it is: the parts of what the fleet can carry. */
  readonly loads: readonly number[]
}

export interface Machine {
  readonly msPerToken: number
  readonly slots: number
  readonly msPerCharacter: number
  /** What each other job adds to the time per token, as a part of it. */
  readonly beside: number
}

export interface WorldRequest {
  /** When it arrives. */
  readonly at: number
  readonly tokens: number
  readonly promptSize: number
  readonly prefixes: readonly Prefix[]
}

const SHORTEST = 5
const LONGEST = 300
const MEDIAN = 30
const SPREAD = 0.8
/** Of the lengths that `replyLength` draws. */
const MEAN_TOKENS = 41
/** Conversations that somebody may continue. */
const KNOWN = 30

const machine = (msPerToken: number, slots: number, more: Partial<Machine> = {}): Machine => ({
  msPerToken,
  slots,
  msPerCharacter: 0,
  beside: 0,
  ...more,
})
const uneven = (more: (msPerToken: number) => Partial<Machine> = () => ({})) =>
  [machine(5, 2), machine(10, 4), machine(20, 4), machine(40, 2), machine(80, 2), machine(160, 1)].map((one) => ({
    ...one,
    ...more(one.msPerToken),
  }))

export const WORLDS: readonly World[] = [
  {
    name: 'six uneven devices',
    devices: uneven(),
    requests: lone,
    usualRead: 0,
    loads: [0.5, 0.8, 0.95],
  },
  {
    // With so little to do, answers are so short that the machine that measures would be seen in them.
    name: 'six uneven devices, half as fast',
    devices: uneven((msPerToken) => ({ msPerToken: 2 * msPerToken })),
    requests: lone,
    usualRead: 0,
    loads: [0.1],
  },
  {
    name: 'the same, slower with jobs beside each other',
    devices: uneven(() => ({ beside: 0.3 })),
    requests: lone,
    usualRead: 0,
    loads: [0.5, 0.8],
  },
  {
    name: 'ten equal devices',
    devices: Array.from({ length: 10 }, () => machine(20, 2)),
    requests: lone,
    usualRead: 0,
    loads: [0.5, 0.8, 0.95],
  },
  {
    name: 'long prompts and conversations that return',
    devices: uneven((msPerToken) => ({ msPerCharacter: msPerToken / 100 })),
    requests: conversations,
    usualRead: 2_400,
    loads: [0.5, 0.8],
  },
]

/** Requests per millisecond that the fleet can carry. */
export function capacityOf({ devices, usualRead }: World): number {
  return devices
    .map((one) => one.slots / (MEAN_TOKENS * paceOf(one, one.slots) + usualRead * one.msPerCharacter))
    .reduce((sum, perMs) => sum + perMs, 0)
}

/** Nothing of one is in another. */
function* lone(random: Random, everyMs: number): Generator<WorldRequest> {
  for (let at = pause(random, everyMs); ; at += pause(random, everyMs))
    yield { at, tokens: replyLength(random), promptSize: 200, prefixes: [] }
}

/** A third begins a conversation; the others continue one of the latest. */
function* conversations(random: Random, everyMs: number): Generator<WorldRequest> {
  const known: { turns: Prefix[]; size: number }[] = []
  for (let at = pause(random, everyMs); ; at += pause(random, everyMs)) {
    const isNew = known.length < KNOWN || random.chance(1 / 3)
    const one = isNew ? { turns: [], size: 0 } : random.pick(known)
    if (isNew && known.push(one) > KNOWN) known.shift()
    const said = isNew ? Math.round(10 * 3_000 ** random.fraction()) : random.between(20, 400)
    const tokens = replyLength(random)
    const promptSize = one.size + said
    const prefixes = [...one.turns, { hash: random.bits(), size: promptSize }]
    one.turns = prefixes
    one.size = promptSize + 4 * tokens
    yield { at, tokens, promptSize, prefixes }
  }
}

/** The time for a token with so many jobs beside each other. */
export function paceOf({ msPerToken, beside }: Machine, jobs: number): number {
  return msPerToken * (1 + beside * (jobs - 1))
}

function pause(random: Random, meanMs: number): number {
  return -Math.log(1 - random.fraction()) * meanMs
}

/** Log-normal: most replies are short and a few are long. */
function replyLength(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
  return Math.round(Math.min(LONGEST, Math.max(SHORTEST, MEDIAN * Math.exp(SPREAD * normal))))
}
