// Decides when a gateway is isolated because the others don't hear it, and when it gets its share again. Any peer may decide, since the
// database lets only one decision pass for each generation.

import type { PeerRow, PeerSnapshot, IsolationList } from '../../../store/peers.ts'
import { isSame } from './leadership.ts'
import type { Timing } from './timing.ts'

interface Pending extends IsolationList {
  since: number
  waitMs: number
  /** Of all peers, when it was first seen. */
  turns: ReadonlyMap<number, number>
  /** All peers have said the same again since. One that is dead says nothing, and is removed instead. */
  isRepeated: boolean
}

/** How often every peer has to say the same again. */
const REPEATS = 2

export class Isolation {
  readonly #timing: Timing
  #pending: Pending | undefined

  constructor(timing: Timing) {
    this.#timing = timing
  }

  startAnew(): void {
    this.#pending = undefined
  }

  observe({ generation, rows }: PeerSnapshot, now: number): void {
    const unheard = listUnheard(rows)
    const isolated = rows.filter(({ isIsolated }) => isIsolated).map(({ number }) => number)
    if (unheard === undefined || isSame(unheard, isolated)) return this.startAnew()
    const known = this.#pending
    if (known?.generation === generation && isSame(known.numbers, unheard)) {
      known.isRepeated = rows.every(({ number, turn }) => turn >= (known.turns.get(number) ?? Infinity) + REPEATS)
      return
    }
    const isWorse = unheard.some((number) => !isolated.includes(number))
    const waitMs = isWorse ? this.#timing.steadyMs : this.#timing.returnMs
    const turns = new Map(rows.map(({ number, turn }) => [number, turn]))
    this.#pending = { generation, numbers: unheard, since: now, waitMs, turns, isRepeated: false }
  }

  /** When it is to be carried out, if nobody says anything else. */
  get dueAt(): number {
    return this.#pending?.isRepeated ? this.#pending.since + this.#pending.waitMs : Infinity
  }

  /** Undefined if nothing is to be carried out yet. */
  decide(now: number): IsolationList | undefined {
    return this.dueAt <= now ? this.#pending : undefined
  }
}

/**
 * The numbers of all peers that are not in the largest group of gateways that hear each other, in order. Only those that hear
 * themselves count: the others have lost the bus. Undefined if there is no such group, so that nobody can say who is cut off.
 */
export function listUnheard(rows: readonly PeerRow[]): number[] | undefined {
  const groups = groupByContact(rows)
  const sizes = groups.map((group) => group.filter(({ number, hears }) => hears.includes(number)).length)
  const largest = Math.max(...sizes)
  const [heard, other] = groups.filter((_, index) => sizes[index] === largest)
  if (largest === 0 || other !== undefined) return undefined
  return rows.filter((row) => !heard?.includes(row)).map(({ number }) => number)
}

/** Directly or through others. Both have to hear: one way is not enough to work together. */
function groupByContact(rows: readonly PeerRow[]): PeerRow[][] {
  const groups: PeerRow[][] = []
  const left = new Set(rows)
  for (const row of rows) {
    if (!left.delete(row)) continue
    const group = [row]
    // Grows while it is walked through.
    for (const one of group)
      for (const other of left)
        if (areConnected(one, other)) {
          left.delete(other)
          group.push(other)
        }
    groups.push(group)
  }
  return groups
}

function areConnected(one: PeerRow, other: PeerRow): boolean {
  return one.hears.includes(other.number) && other.hears.includes(one.number)
}
