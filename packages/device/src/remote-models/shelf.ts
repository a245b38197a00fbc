// The machine's models as requests from the console see them.

import type { ModelEntry } from '../models/registry/registry.ts'
import type { PullNews } from '../news.ts'

export interface Shelf {
  list(): ModelEntry[]
  /** Says what a reference means, without downloading it. Throws DeviceError. */
  describe(reference: string, signal: AbortSignal): Promise<ShelfDescription>
  /** Downloads, verifies and registers. An aborted signal leaves a partial file, which the next pull continues. Throws DeviceError. */
  pull(
    reference: string,
    options: { onNews: (news: PullNews) => void; signal: AbortSignal; isRemote: true },
  ): Promise<ModelEntry>
  /** Deletes what a pull left behind. */
  discard(reference: string): void
  /** Returns how many bytes are free again. Throws DeviceError if there is no such model. */
  remove(name: string): { freedBytes: number }
}

export interface ShelfDescription {
  /** The name it will be served under. */
  name: string
  /** Only for models of the list. */
  listed?: { license: { name: string } }
  /** Smallest first. Empty if the source says nothing before a download. */
  candidates: readonly ShelfCandidate[]
}

export interface ShelfCandidate {
  bytes: number
  fit: { fits: true } | { fits: false; missingBytes: number }
  /** A pull takes this one. */
  isChosen: boolean
}
