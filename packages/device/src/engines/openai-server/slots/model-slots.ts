// How many jobs each model of a server takes at once, if the server doesn't say: learned from how the jobs fare, and from what vLLM says of its
// queue while jobs run.

import { MAX_SLOTS } from '@hearth/protocol'
import type { Clock } from '../../../clock.ts'
import type { ServerAddress } from '../http/server-address.ts'
import type { ProductName } from '../server/product.ts'
import { LearnedSlots } from './learned-slots.ts'
import { readQueue } from './server-queue.ts'

export interface ModelSlotsOptions {
  address: ServerAddress
  clock: Clock
  onChange: () => void
}

const ASK_EVERY_MS = 3_000

/** vLLM takes at least 128 requests at once unless it has no memory for them, and says how many wait. The others queue what is too much. */
const START: Record<ProductName, number> = { vllm: 128, ollama: 1, 'llama-server': 1, 'lm-studio': 1, other: 1 }

export class ModelSlots {
  readonly #options: ModelSlotsOptions
  readonly #models = new Map<string, LearnedSlots>()
  readonly #end = new AbortController()
  #stopAsking: (() => void) | undefined

  constructor(options: ModelSlotsOptions) {
    this.#options = options
  }

  /** `most` is what the server may take at most, if it says so. */
  of(id: string, product: ProductName, most: number | undefined): LearnedSlots {
    const known = this.#models.get(id)
    if (known !== undefined) return known
    const { clock, onChange } = this.#options
    // Some unknown servers break an answer off when the next request comes.
    const limit = product === 'other' ? 1 : Math.min(most ?? MAX_SLOTS, MAX_SLOTS)
    const tells = product === 'vllm'
    const now = (): number => clock.now()
    const learned = new LearnedSlots({ start: most ?? START[product], most: limit, tells, now, onChange })
    this.#models.set(id, learned)
    if (tells) this.#stopAsking ??= clock.every(ASK_EVERY_MS, () => void this.#ask())
    return learned
  }

  /** Forgets the others: what comes back may have been started with other options. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#models.keys()) if (!ids.has(id)) this.#models.delete(id)
  }

  stop(): void {
    this.#stopAsking?.()
    this.#end.abort(new Error('the engine is stopping'))
  }

  async #ask(): Promise<void> {
    const busy = [...this.#models.values()].filter(({ running }) => running > 1)
    if (busy.length === 0) return
    // What can't be read now is read in a moment.
    const queue = await readQueue(this.#options.address, this.#end.signal).catch(() => undefined)
    if (queue !== undefined) for (const learned of busy) learned.told(queue)
  }
}
