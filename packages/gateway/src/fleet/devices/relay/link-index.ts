// Finds the links that have something by its key. Most things are on one link only, and then an entry takes a few words of memory: there
// may be ten thousand per link.

import type { DeviceLink } from '../device-link.ts'

export interface Found<Value> {
  readonly link: DeviceLink
  readonly value: Value
}

export class LinkIndex<Value> {
  readonly #entries = new Map<string, Found<Value> | Map<DeviceLink, Value>>()

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The first value that a link has under a key counts. */
  add(key: string, link: DeviceLink, value: Value): void {
    const known = this.#entries.get(key)
    if (known === undefined) this.#entries.set(key, { link, value })
    else if (!(known instanceof Map)) this.#addSecond(key, known, { link, value })
    else if (!known.has(link)) known.set(link, value)
  }

  remove(key: string, link: DeviceLink): void {
    const known = this.#entries.get(key)
    if (known === undefined) return
    if (known instanceof Map) known.delete(link)
    if (known instanceof Map ? known.size === 0 : known.link === link) this.#entries.delete(key)
  }

  *find(key: string): Generator<Found<Value>, void> {
    const known = this.#entries.get(key)
    if (known === undefined) return
    if (!(known instanceof Map)) yield known
    else for (const [link, value] of known) yield { link, value }
  }

  #addSecond(key: string, first: Found<Value>, second: Found<Value>): void {
    if (first.link === second.link) return
    const both = [first, second].map(({ link, value }) => [link, value] as const)
    this.#entries.set(key, new Map(both))
  }
}
