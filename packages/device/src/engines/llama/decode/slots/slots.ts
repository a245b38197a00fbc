// Picks the slot for a prompt. A slot keeps the evaluated tokens of its last conversation, and a prompt that begins with the same tokens
// doesn't evaluate them again. Plain arithmetic on token lists; the batch loop does the evaluating.

import type { EngineScope } from '../../../engine.ts'
import type { Token } from '../../native/native.ts'
import type { Checkpoints } from './checkpoints.ts'
import { PrefixOwners } from './prefix-owners.ts'
import { noNumbers, type SlotNumbers } from './slot-numbers.ts'

export interface Slot<Occupant> {
  readonly id: number
  /** The evaluated tokens, in order. */
  tokens: Token[]
  numbers: SlotNumbers
  readonly owners: PrefixOwners
  occupant: Occupant | undefined
  /** Set if the slot can't forget any number of tokens: it can only go back to a checkpoint. */
  readonly checkpoints?: { lengthUpTo(most: number): number }
  /** Increases with each release; 0 means never used. */
  lastUsed: number
}

/** The slots of a model that was just loaded. */
export function createSlots<Occupant>(count: number, checkpoints: Checkpoints | undefined): Slot<Occupant>[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    tokens: [],
    numbers: noNumbers(),
    owners: new PrefixOwners(),
    ...(checkpoints && { checkpoints: { lengthUpTo: (most: number) => checkpoints.lengthUpTo(id, most) } }),
    occupant: undefined,
    lastUsed: 0,
  }))
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
  scope: EngineScope,
  copyCost: number,
): SlotPlan<Occupant> | undefined {
  if (slots.every(({ occupant }) => occupant !== undefined)) return undefined
  const options = slots.map((slot) => toOption(slots, slot, prompt, scope))
  const found = findSlot(options, copyCost)
  return found && { ...found, own: Math.min(found.reuse, Math.max(...options.map(({ known }) => known))) }
}

/** A slot, as it would serve the prompt. */
interface Option<Occupant> {
  slot: Slot<Occupant>
  isFree: boolean
  /** How many leading tokens of the prompt it can continue after, and how many it has that the same scope knows. */
  reuse: number
  known: number
  /** The number of passes if it becomes busy. */
  passes: number
}

function toOption<Occupant>(
  slots: readonly Slot<Occupant>[],
  slot: Slot<Occupant>,
  prompt: readonly Token[],
  { name, isSeparate }: EngineScope,
): Option<Occupant> {
  const common = commonLength(slot.tokens, prompt)
  const known = Math.min(common, slot.owners.lengthOf(name))
  const reuse = reusable(slot, isSeparate ? known : Math.min(common, slot.owners.openLength))
  return { slot, isFree: slot.occupant === undefined, reuse, known, passes: passesWith(slots, slot) }
}

/** Of the free slots that cost the fewest passes, the one used longest ago. */
function findFree<Occupant>(options: readonly Option<Occupant>[]): Option<Occupant> | undefined {
  const free = options.filter(({ isFree }) => isFree)
  return free.toSorted((a, b) => a.passes - b.passes || a.slot.lastUsed - b.slot.lastUsed)[0]
}

function findSlot<Occupant>(
  options: readonly Option<Occupant>[],
  copyCost: number,
): Omit<SlotPlan<Occupant>, 'own'> | undefined {
  const free = findFree(options)
  if (free === undefined) return undefined
  const best = options.reduce((a, b) => (isBetter(b, a) ? b : a))
  const { slot, reuse } = best
  const canStay = best.isFree && best.passes <= free.passes
  if (best === free || (canStay && continues(slot, reuse))) return { slot, source: undefined, reuse }
  if (reuse - free.reuse < copyCost) return { slot: free.slot, source: undefined, reuse: free.reuse }
  return { slot: free.slot, source: slot, reuse }
}

function isBetter<Occupant>(a: Option<Occupant>, b: Option<Occupant>): boolean {
  if (a.reuse !== b.reuse) return a.reuse > b.reuse
  return a.isFree && (!b.isFree || a.slot.lastUsed < b.slot.lastUsed)
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

interface Place {
  readonly id: number
  readonly occupant: unknown
}

/**
 * The number of passes if this slot becomes busy too. llama.cpp evaluates tokens of several slots in one pass only if the slots are
 * neighbors: for every gap between them it goes through the whole model once more, so busy slots stay together.
 */
function passesWith(slots: readonly Place[], joining: Place): number {
  const busy = slots.filter((slot) => slot === joining || slot.occupant !== undefined).map(({ id }) => id)
  const sorted = busy.toSorted((a, b) => a - b)
  return sorted.filter((id, index) => id - 1 !== sorted[index - 1]).length
}
