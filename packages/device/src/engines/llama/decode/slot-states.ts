// What the model's memory holds for each slot: trims, copies and forgets it together with the slot's list of tokens.

import type { NativeContext } from '../native/native.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Slot } from './slots.ts'

export class SlotStates {
  readonly #context: NativeContext
  readonly #checkpoints: Checkpoints | undefined

  constructor(context: NativeContext, checkpoints: Checkpoints | undefined) {
    this.#context = context
    this.#checkpoints = checkpoints
  }

  /** Trims the slot to `reuse` tokens; returns how many it really holds then. */
  async prepare<Occupant>(slot: Slot<Occupant>, source: Slot<Occupant> | undefined, reuse: number): Promise<number> {
    if (source !== undefined) await this.#copy(slot, source)
    if (reuse === slot.tokens.length) return reuse
    if (reuse === 0 || !(await this.#goBack(slot, reuse))) this.forget(slot)
    else slot.tokens.length = reuse
    return slot.tokens.length
  }

  forget<Occupant>(slot: Slot<Occupant>): void {
    this.#context.disposeSequence(slot.id)
    this.#checkpoints?.trim(slot.id, 0)
    slot.tokens = []
    slot.owners.clear()
  }

  async #copy<Occupant>(slot: Slot<Occupant>, source: Slot<Occupant>): Promise<void> {
    await this.#context.copySequenceStateFromOtherSequence(slot.id, source.id)
    slot.tokens = [...source.tokens]
    slot.owners.copyFrom(source.owners)
    this.#checkpoints?.copy(slot.id, source.id)
  }

  async #goBack<Occupant>({ id }: Slot<Occupant>, length: number): Promise<boolean> {
    if (this.#checkpoints === undefined) return this.#context.removeTokenCellsFromSequence(id, length, -1)
    this.#checkpoints.trim(id, length)
    return this.#checkpoints.restore(id, length)
  }
}
