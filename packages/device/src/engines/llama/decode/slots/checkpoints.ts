// Copies of slots' states at earlier tokens. Plain attention keeps every token apart, so a slot can forget its last tokens; a running state
// (hybrid and recurrent models) or a sliding window can't go back. For those models, a slot goes back to a checkpoint instead, and only the
// tokens after it are evaluated again. Other models have none of this.

import type { NativeCheckpoint, NativeCheckpoints } from '../../native/native-checkpoints.ts'
import type { Native, Token } from '../../native/native.ts'
import { planStops } from './plan-stops.ts'

export interface CheckpointLimits {
  /** Of all slots together. */
  bytes: number
  perSlot: number
}

interface Kept {
  readonly state: NativeCheckpoint
  /** A slot that is copied shares its checkpoints with the copy. */
  readonly slots: Set<number>
  lastUsed: number
}

const PER_SLOT = 8
/** For a model whose file doesn't say how large its states are. */
const LEAST_BYTES = 64 * 1024 ** 2

/** Undefined if the model can do without. */
export function createCheckpoints(
  { checkpointing, checkpointRoom, vocabulary }: Pick<Native, 'checkpointing' | 'checkpointRoom' | 'vocabulary'>,
  limits: Partial<CheckpointLimits> = {},
): Checkpoints | undefined {
  if (checkpointing === undefined) return undefined
  const bytes = Math.max(LEAST_BYTES, checkpointRoom)
  const known = new Map<Token, boolean>()
  const isControl = (token: Token) => vocabulary.kind(token) === 'control' && !vocabulary.isEnd(token)
  const isBoundary = (token: Token) => known.getOrInsertComputed(token, isControl)
  return new Checkpoints(checkpointing, isBoundary, { bytes, perSlot: PER_SLOT, ...limits })
}

export class Checkpoints {
  readonly #native: NativeCheckpoints
  readonly #isBoundary: (token: Token) => boolean
  readonly #limits: CheckpointLimits
  readonly #kept = new Set<Kept>()
  #uses = 0
  #bytes = 0
  #isTooLarge = false

  constructor(native: NativeCheckpoints, isBoundary: (token: Token) => boolean, limits: CheckpointLimits) {
    this.#native = native
    this.#isBoundary = isBoundary
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The numbers of tokens after which a checkpoint of this prompt is worth its memory. */
  planStops(prompt: readonly Token[], reused: number): number[] {
    return this.#isTooLarge ? [] : planStops(prompt, reused, this.#isBoundary)
  }

  /** Whether copies of slots have to be carried out before anything is restored. */
  get needsCopiesDone(): boolean {
    return this.#native.hasWindow
  }

  /** Whether the slot can forget its last tokens without a checkpoint. */
  canTrim(slot: number, length: number): boolean {
    return this.#native.canTrim(slot, length)
  }

  /** The most tokens, up to `most`, that the slot can go back to. */
  lengthUpTo(slot: number, most: number): number {
    if (this.canTrim(slot, most)) return most
    return this.#of(slot).findLast(({ state }) => state.length <= most)?.state.length ?? 0
  }

  /** Keeps the slot's present state of `length` tokens. A checkpoint that can't be taken is no failure: it only saves time. */
  async take(slot: number, length: number): Promise<void> {
    if (this.#isTooLarge || this.#of(slot).some(({ state }) => state.length === length)) return
    const state = await this.#native.take(slot).catch(() => undefined)
    if (state === undefined) return
    this.#isTooLarge = state.bytes > this.#limits.bytes
    if (this.#isTooLarge || state.length !== length) return state.dispose()
    this.#kept.add({ state, slots: new Set([slot]), lastUsed: ++this.#uses })
    this.#bytes += state.bytes
    this.#makeRoom(slot)
  }

  /** False if the slot is in no usable state now. */
  async restore(slot: number, length: number): Promise<boolean> {
    const found = this.#of(slot).find(({ state }) => state.length === length)
    if (found === undefined) return false
    found.lastUsed = ++this.#uses
    // The caller evaluates the prompt from its beginning then.
    return this.#native.restore(found.state, slot).catch(() => false)
  }

  /** After a slot was copied: `target` can go back to wherever `source` can. */
  copy(target: number, source: number): void {
    this.trim(target, 0)
    for (const kept of this.#of(source)) kept.slots.add(target)
  }

  /** After a slot went back: only its first `length` tokens are the same. */
  trim(slot: number, length: number): void {
    for (const kept of this.#of(slot)) if (kept.state.length > length) this.#release(kept, slot)
  }

  #of(slot: number): Kept[] {
    return [...this.#kept].filter(({ slots }) => slots.has(slot)).toSorted((a, b) => a.state.length - b.state.length)
  }

  #makeRoom(slot: number): void {
    for (let own = this.#of(slot); own.length > this.#limits.perSlot; own = this.#of(slot))
      this.#release(
        leastUseful(own, (kept) => worth(kept, own)),
        slot,
      )
    while (this.#bytes > this.#limits.bytes) {
      const least = leastUseful([...this.#kept], (kept) =>
        Math.max(...Array.from(kept.slots, (holder) => worth(kept, this.#of(holder)))),
      )
      for (const holder of least.slots) this.#release(least, holder)
    }
  }

  #release(kept: Kept, slot: number): void {
    kept.slots.delete(slot)
    if (kept.slots.size > 0) return
    this.#kept.delete(kept)
    this.#bytes -= kept.state.bytes
    kept.state.dispose()
  }
}

/** The tokens that would have to be evaluated again without it. The last one of a slot counts most: the next turn continues there. */
function worth(kept: Kept, own: readonly Kept[]): number {
  const index = own.indexOf(kept)
  if (index === own.length - 1) return Number.POSITIVE_INFINITY
  return kept.state.length - (own[index - 1]?.state.length ?? 0)
}

function leastUseful(all: readonly Kept[], worthOf: (kept: Kept) => number): Kept {
  const judged = all.map((kept) => ({ kept, worth: worthOf(kept) }))
  const isLess = (a: (typeof judged)[number], b: (typeof judged)[number]): boolean =>
    a.worth === b.worth ? a.kept.lastUsed < b.kept.lastUsed : a.worth < b.worth
  return judged.reduce((least, other) => (isLess(other, least) ? other : least)).kept
}
