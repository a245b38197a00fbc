// Decides when a gateway is set aside because the others don't hear it, and when it gets its share again. Any peer may decide, since the
// database lets only one decision pass for each generation.

import type { PeerSnapshot, SetAsideList } from '../../../store/peers.ts'
import { listUnheard } from './list-unheard.ts'
import { isSame } from './mandate.ts'
import type { Timing } from './timing.ts'

interface Pending extends SetAsideList {
  since: number
  waitMs: number
  /** Of all peers, when it was first seen. */
  turns: ReadonlyMap<number, number>
  /** All peers have said the same again since. One that is dead says nothing, and is removed instead. */
  isRepeated: boolean
}

/** How often every peer has to say the same again. */
const REPEATS = 2

export class SetAside {
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
    const setAside = rows.filter(({ isSetAside }) => isSetAside).map(({ number }) => number)
    if (unheard === undefined || isSame(unheard, setAside)) return this.startAnew()
    const known = this.#pending
    if (known?.generation === generation && isSame(known.numbers, unheard)) {
      known.isRepeated = rows.every(({ number, turn }) => turn >= (known.turns.get(number) ?? Infinity) + REPEATS)
      return
    }
    const isWorse = unheard.some((number) => !setAside.includes(number))
    const waitMs = isWorse ? this.#timing.steadyMs : this.#timing.returnMs
    const turns = new Map(rows.map(({ number, turn }) => [number, turn]))
    this.#pending = { generation, numbers: unheard, since: now, waitMs, turns, isRepeated: false }
  }

  /** When it is to be carried out, if nobody says anything else. */
  get dueAt(): number {
    return this.#pending?.isRepeated ? this.#pending.since + this.#pending.waitMs : Infinity
  }

  /** Undefined if nothing is to be carried out yet. */
  decide(now: number): SetAsideList | undefined {
    return this.dueAt <= now ? this.#pending : undefined
  }
}
