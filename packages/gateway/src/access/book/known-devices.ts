import type { AccessDevice, RowKey } from '../../store/revisions/access-rows.ts'
import type { KnownRows } from './followed-table.ts'

export interface DeviceNews {
  onLost: (device: string) => void
  /** The device was paused or resumed. */
  onPause: (device: string) => void
}

export class KnownDevices implements KnownRows<AccessDevice> {
  readonly #byDigest = new Map<string, AccessDevice>()
  readonly #byId = new Map<string, AccessDevice>()
  readonly #news: DeviceNews

  constructor(news: DeviceNews) {
    this.#news = news
  }

  withCredential(digest: string): AccessDevice | undefined {
    return this.#byDigest.get(digest)
  }

  nameOf(device: string): string | undefined {
    return this.#byId.get(device)?.name
  }

  isPaused(device: string): boolean {
    return this.#byId.get(device)?.isPaused ?? false
  }

  put(row: AccessDevice): void {
    const before = this.#byId.get(row.id)
    // A link that was opened with another credential has to end.
    if (before && before.credentialDigest !== row.credentialDigest) this.drop(row)
    this.#byDigest.set(row.credentialDigest, row)
    this.#byId.set(row.id, row)
    if (row.isPaused !== (before?.isPaused ?? false)) this.#news.onPause(row.id)
  }

  drop({ id }: Pick<RowKey, 'id'>): void {
    const before = this.#byId.get(id)
    if (!before) return
    if (this.#byDigest.get(before.credentialDigest) === before) this.#byDigest.delete(before.credentialDigest)
    this.#byId.delete(id)
    this.#news.onLost(id)
    if (before.isPaused) this.#news.onPause(id)
  }

  keyOf({ organization, id }: AccessDevice): RowKey {
    return { organization, id }
  }

  *keys(): Iterable<RowKey> {
    for (const device of this.#byId.values()) yield this.keyOf(device)
  }
}
