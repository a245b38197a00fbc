// The state of each slot in the model's memory: trims, copies and forgets it together with the slot's list of tokens.

import type { NativeContext } from '../../native/native.ts'
import type { Checkpoints } from './checkpoints.ts'
import { noNumbers, shortened } from './slot-numbers.ts'
import type { Slot } from './slots.ts'

export class SlotStates {
  readonly #context: NativeContext
  readonly #checkpoints: Checkpoints | undefined
  #isCopyPending = false

  constructor(context: NativeContext, checkpoints: Checkpoints | undefined) {
    this.#context = context
    this.#checkpoints = checkpoints
  }

  /** After each successful decode. */
  onDecode(): void {
    this.#isCopyPending = false
  }

  /** Trims the slot to `reuse` tokens; returns how many it really holds then. */
  async prepare<Occupant>(slot: Slot<Occupant>, source: Slot<Occupant> | undefined, reuse: number): Promise<number> {
    if (source !== undefined && reuse > 0) await this.#copy(slot, source)
    if (reuse === slot.tokens.length) return reuse
    if (reuse === 0 || !(await this.#goBack(slot, reuse))) this.forget(slot)
    else this.#shorten(slot, reuse)
    return slot.tokens.length
  }

  /** Forgets the last tokens, which are evaluated but were not drawn. */
  dropLast<Occupant>(slot: Slot<Occupant>, count: number): void {
    const length = slot.tokens.length - count
    if (!this.#context.removeTokenCellsFromSequence(slot.id, length, -1)) throw new Error('The slot kept its tokens')
    this.#shorten(slot, length)
  }

  forget<Occupant>(slot: Slot<Occupant>): void {
    this.#context.disposeSequence(slot.id)
    this.#checkpoints?.trim(slot.id, 0)
    slot.tokens = []
    slot.numbers = noNumbers()
    slot.owners.clear()
  }

  #shorten<Occupant>(slot: Slot<Occupant>, length: number): void {
    slot.tokens.length = length
    slot.numbers = shortened(slot.numbers, length)
  }

  async #copy<Occupant>(slot: Slot<Occupant>, source: Slot<Occupant>): Promise<void> {
    await this.#context.copySequenceStateFromOtherSequence(slot.id, source.id)
    slot.tokens = [...source.tokens]
    slot.numbers = { ...source.numbers }
    slot.owners.copyFrom(source.owners)
    this.#checkpoints?.copy(slot.id, source.id)
    this.#isCopyPending = true
  }

  async #goBack<Occupant>(slot: Slot<Occupant>, length: number): Promise<boolean> {
    const checkpoints = this.#checkpoints
    checkpoints?.trim(slot.id, length)
    if (checkpoints === undefined || checkpoints.canTrim(slot.id, length))
      return this.#context.removeTokenCellsFromSequence(slot.id, length, -1)
    return (await this.#carryOutCopies(slot)) && (await checkpoints.restore(slot.id, length))
  }

  // Only a decode carries out a copy, and it would overwrite what was restored before. So the slot decodes a token, and forgets it at once.
  async #carryOutCopies<Occupant>({ id, tokens }: Slot<Occupant>): Promise<boolean> {
    if (!this.#isCopyPending || !this.#checkpoints?.needsCopiesDone) return true
    const [first] = tokens
    if (first === undefined) return false
    try {
      this.#context.initBatch(1)
      this.#context.addToBatch(id, tokens.length, Uint32Array.of(first), new Uint32Array(0))
      await this.#context.decodeBatch()
      this.#isCopyPending = false
      return true
    } catch {
      // The slot is disposed of, and the whole prompt evaluated.
      return false
    }
  }
}
