// For devices whose replies at temperature 0 must not depend on other jobs: such a stream shares a decode only as far as that leaves its
// numbers alone. The others take turns; whoever was evaluated longest ago comes first.

import { exactSize, type ExactSizes } from '../native/exact-sizes.ts'
import { BlockTurns, type NumberedPart, type Turns } from './same-numbers.ts'

interface TurnPart {
  count: number
  slot: { readonly tokens: { readonly length: number } }
  running: { generation: { readonly isRepeatable?: boolean } }
}

/** On a GPU, the numbers depend on the size of every batch anyway. */
export function createTurns(options: {
  gpu: string | false
  isStrict?: boolean
  exactSizes: ExactSizes
}): Turns<NumberedPart> {
  const isStrict = options.isStrict === true && options.gpu === false
  return isStrict ? new StrictTurns(options.exactSizes) : new BlockTurns(options)
}

export class StrictTurns implements Turns<TurnPart> {
  readonly #sizes: ExactSizes
  readonly #lastTurns = new WeakMap<object, number>()
  #turn = 0

  constructor(sizes: ExactSizes) {
    this.#sizes = sizes
  }

  next<Part extends TurnPart>(parts: readonly Part[]): readonly Part[] {
    const turnOf = ({ running }: Part): number => this.#lastTurns.get(running) ?? 0
    const chosen = this.#choose(parts.toSorted((a, b) => turnOf(a) - turnOf(b)))
    this.#turn++
    for (const { running } of chosen) this.#lastTurns.set(running, this.#turn)
    return parts.filter((part) => chosen.includes(part))
  }

  #choose<Part extends TurnPart>(inOrder: readonly Part[]): readonly Part[] {
    const [first] = inOrder
    if (first === undefined) return []
    if (!isStrict(first)) return inOrder.filter((part) => !isStrict(part))
    let [total, room] = [first.count, this.#roomOf(first)]
    return inOrder.filter((part) => {
      if (part === first) return true
      const most = Math.min(room, this.#roomOf(part))
      if (total + part.count > most) return false
      ;[total, room] = [total + part.count, most]
      return true
    })
  }

  #roomOf(part: TurnPart): number {
    return isStrict(part) ? exactSize(this.#sizes, part.slot.tokens.length) : Number.POSITIVE_INFINITY
  }
}

function isStrict({ running: { generation } }: TurnPart): boolean {
  return generation.isRepeatable === true
}
