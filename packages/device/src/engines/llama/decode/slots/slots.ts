// Picks the slot for a prompt. A slot keeps the evaluated tokens of its last conversation, and a prompt that begins with the same tokens
// doesn't evaluate them again. Plain arithmetic on token lists; the batch loop does the evaluating.

import type { PrefixScope } from '@hearth/protocol'
import type { Token } from '../../native/native.ts'
import type { PrefixOwners } from './prefix-owners.ts'
import { passesWith } from './slot-groups.ts'

export interface Slot<Occupant> {
  readonly id: number
  /** The evaluated tokens, in order. */
  tokens: Token[]
  /** How many of the first of them were evaluated in blocks. */
  blocks: number
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

export function planSlot<Occupant>(
  slots: readonly Slot<Occupant>[],
  prompt: readonly Token[],
  scope: PrefixScope,
  copyCost: number,
): SlotPlan<Occupant> | undefined {
  const free = findFree(slots)
  if (free === undefined) return undefined
  const common = new Map(slots.map((slot) => [slot, commonLength(slot.tokens, prompt)]))
  const known = new Map(slots.map((slot) => [slot, Math.min(common.get(slot)!, slot.owners.lengthOf(scope.name))]))
  const allowed = scope.isSeparate ? known : common
  const found = findSlot(
    slots,
    new Map(slots.map((slot) => [slot, reusable(slot, allowed.get(slot)!)])),
    free,
    copyCost,
  )
  return { ...found, own: Math.min(found.reuse, Math.max(...known.values())) }
}

/** Of the slots that cost the fewest passes, the one used longest ago. */
function findFree<Occupant>(slots: readonly Slot<Occupant>[]): Slot<Occupant> | undefined {
  const free = slots.filter((slot) => slot.occupant === undefined)
  const passes = new Map(free.map((slot) => [slot, passesWith(slots, slot)]))
  return free.toSorted((a, b) => passes.get(a)! - passes.get(b)! || a.lastUsed - b.lastUsed)[0]
}

function findSlot<Occupant>(
  slots: readonly Slot<Occupant>[],
  shared: ReadonlyMap<Slot<Occupant>, number>,
  free: Slot<Occupant>,
  copyCost: number,
): Omit<SlotPlan<Occupant>, 'own'> {
  const best = slots.reduce((a, b) => (isBetter(b, a, shared) ? b : a))
  const reuse = shared.get(best)!
  const canStay = best.occupant === undefined && passesWith(slots, best) <= passesWith(slots, free)
  if (best === free || (canStay && continues(best, reuse))) return { slot: best, source: undefined, reuse }
  const own = shared.get(free)!
  if (reuse - own < copyCost) return { slot: free, source: undefined, reuse: own }
  return { slot: free, source: best, reuse }
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
