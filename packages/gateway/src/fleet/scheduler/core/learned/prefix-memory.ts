// Remembers which devices have recently read which conversation. A device that still has the start of a conversation in its cache answers
// sooner. This is only a guess about the cache, so it may only decide between devices that can both do the job. Conversations are kept by
// hash: looking one up costs the same with one device or a thousand.

import type { Prefix } from '@hearth/chat'

export const CONVERSATIONS_PER_DEVICE = 256

export class PrefixMemory<Holder> {
  readonly #holders = new Map<number, Set<Holder>>()
  /** For each device, the conversation used longest ago comes first. */
  readonly #held = new Map<Holder, Set<number>>()

  remember(holder: Holder, prefixes: readonly Prefix[]): void {
    const whole = prefixes.at(-1)
    if (whole === undefined) return
    const held = this.#held.get(holder)
    if (held?.has(whole.hash)) refresh(held, whole.hash)
    else this.#add(holder, held ?? new Set(), whole.hash)
  }

  #add(holder: Holder, held: Set<number>, hash: number): void {
    this.#held.set(holder, held.add(hash))
    this.#holders.set(hash, (this.#holders.get(hash) ?? new Set()).add(holder))
    if (held.size > CONVERSATIONS_PER_DEVICE) this.#drop(holder, held, held.values().next().value!)
  }

  forget(holder: Holder): void {
    const held = this.#held.get(holder)
    if (held === undefined) return
    for (const hash of held) this.#drop(holder, held, hash)
    this.#held.delete(holder)
  }

  holders(hash: number): Iterable<Holder> | undefined {
    return this.#holders.get(hash)
  }

  /** Characters of the longest part, from the start, that this device has read. */
  heldSize(holder: Holder, prefixes: readonly Prefix[]): number {
    const held = this.#held.get(holder)
    return held === undefined ? 0 : (prefixes.findLast((prefix) => held.has(prefix.hash))?.size ?? 0)
  }

  #drop(holder: Holder, held: Set<number>, hash: number): void {
    held.delete(hash)
    const holders = this.#holders.get(hash)
    holders?.delete(holder)
    if (holders?.size === 0) this.#holders.delete(hash)
  }
}

/** It becomes the one used last. */
function refresh(held: Set<number>, hash: number): void {
  if (held.size === 1) return
  held.delete(hash)
  held.add(hash)
}
