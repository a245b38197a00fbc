// Picks the slot for a prompt. A slot keeps the evaluated tokens of its last conversation, and a prompt that begins with the same tokens
// doesn't evaluate them again. Plain arithmetic on token lists; the batch loop does the evaluating.

import type { PrefixScope } from '@hearth/protocol'
import type { Token } from '../native/native.ts'
import type { PrefixOwners } from './prefix-owners.ts'

export interface Slot<Occupant> {
  readonly id: number
  /** The evaluated tokens, in order. */
  tokens: Token[]
  readonly owners: PrefixOwners
  occupant: Occupant | undefined
  /** Set if the slot can't forget any number of tokens: it can only go back to a checkpoint. */
  readonly checkpoints?: { lengthUpTo(most: number): number }
  /** Increases with each release; 0 means never used. */
  lastUsed: number
}

export interface SlotPlan<Occupant> {
  slot: Slot<Occupant>
  /** The slot to copy tokens from. */
  source: Slot<Occupant> | undefined
  /** The number of leading prompt tokens that are already evaluated. */
  reuse: number
  /** How many of them the same scope has sent or got before. */
  own: number
}

/** A copy costs about as much as evaluating a few tokens. */
const LEAST_COPY = 16

export function planSlot<Occupant>(
  slots: readonly Slot<Occupant>[],
  prompt: readonly Token[],
  scope: PrefixScope,
): SlotPlan<Occupant> | undefined {
  const oldest = slots.filter((slot) => slot.occupant === undefined).toSorted((a, b) => a.lastUsed - b.lastUsed)[0]
  if (oldest === undefined) return undefined
  const common = new Map(slots.map((slot) => [slot, commonLength(slot.tokens, prompt)]))
  const known = new Map(slots.map((slot) => [slot, Math.min(common.get(slot)!, slot.owners.lengthOf(scope.name))]))
  const allowed = scope.isSeparate ? known : common
  const found = findSlot(slots, new Map(slots.map((slot) => [slot, reusable(slot, allowed.get(slot)!)])), oldest)
  return { ...found, own: Math.min(found.reuse, Math.max(...known.values())) }
}

function findSlot<Occupant>(
  slots: readonly Slot<Occupant>[],
  shared: ReadonlyMap<Slot<Occupant>, number>,
  oldest: Slot<Occupant>,
): Omit<SlotPlan<Occupant>, 'own'> {
  const best = slots.reduce((a, b) => (isBetter(b, a, shared) ? b : a))
  const reuse = shared.get(best)!
  if (best === oldest || (best.occupant === undefined && continues(best, reuse)))
    return { slot: best, source: undefined, reuse }
  const own = shared.get(oldest)!
  if (reuse - own < LEAST_COPY) return { slot: oldest, source: undefined, reuse: own }
  return { slot: oldest, source: best, reuse }
}

function isBetter<Occupant>(
  a: Slot<Occupant>,
  b: Slot<Occupant>,
  shared: ReadonlyMap<Slot<Occupant>, number>,
): boolean {
  const more = shared.get(a)! - shared.get(b)!
  if (more !== 0) return more > 0
  return a.occupant === undefined && (b.occupant !== undefined || a.lastUsed < b.lastUsed)
}

// Taking over a slot discards the rest of it, so it is only worth it if the prompt continues most of what is there.
function continues<Occupant>(slot: Slot<Occupant>, reuse: number): boolean {
  return reuse > 0 && reuse * 2 >= slot.tokens.length
}

/** How many of its first `most` tokens the slot can continue after. */
function reusable<Occupant>({ tokens, checkpoints }: Slot<Occupant>, most: number): number {
  return checkpoints === undefined || most === tokens.length ? most : checkpoints.lengthUpTo(most)
}

// The last token is always evaluated: the first token of the reply is drawn from its distribution.
function commonLength(tokens: readonly Token[], prompt: readonly Token[]): number {
  const most = Math.min(tokens.length, prompt.length - 1)
  let count = 0
  while (count < most && tokens[count] === prompt[count]) count++
  return count
}
