// Limits how many jobs wait per organization and per key: an endless queue only hides that there are too few devices.

interface Counts {
  total: number
  perKey: Map<string, number>
}

export class QueueBounds {
  readonly #organizations = new Map<string, Counts>()
  readonly #perKey: number
  readonly #perOrganization: number

  constructor(limits: { queuePerKey: number; queuePerOrganization: number }) {
    this.#perKey = limits.queuePerKey
    this.#perOrganization = limits.queuePerOrganization
  }

  enter(organization: string, key: string): void {
    const counts = this.#organizations.get(organization) ?? { total: 0, perKey: new Map() }
    this.#organizations.set(organization, counts)
    counts.total += 1
    counts.perKey.set(key, (counts.perKey.get(key) ?? 0) + 1)
  }

  leave(organization: string, key: string): void {
    const counts = this.#organizations.get(organization)
    if (counts === undefined) return
    const left = (counts.perKey.get(key) ?? 0) - 1
    counts.total -= 1
    if (left > 0) counts.perKey.set(key, left)
    else counts.perKey.delete(key)
    if (counts.total === 0) this.#organizations.delete(organization)
  }

  /** The limit that the waiting jobs exceed, if any. */
  exceeded(organization: string, key: string): 'key' | 'organization' | undefined {
    if (this.countOf(organization, key) > this.#perKey) return 'key'
    if (this.countOf(organization) > this.#perOrganization) return 'organization'
    return undefined
  }

  countOf(organization: string, key?: string): number {
    const counts = this.#organizations.get(organization)
    if (counts === undefined) return 0
    return key === undefined ? counts.total : (counts.perKey.get(key) ?? 0)
  }

  /** Organizations and keys with at least one waiting job. */
  *counts(): Generator<{ organization: string; queued: number; perKey: ReadonlyMap<string, number> }> {
    for (const [organization, { total, perKey }] of this.#organizations) yield { organization, queued: total, perKey }
  }
}
