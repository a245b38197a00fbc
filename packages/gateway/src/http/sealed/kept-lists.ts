// The signed lists of organizations as JSON, one copy of each edition that all answers share: a list of 10,000 devices is neither read from
// the store nor written again for each client that asks. Which list is the newest, the store says each time.

import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import { SharedBytes, type ByteBudget } from '@hearth/chat'
import type { AccessBook } from '../../access/book/access-book.ts'
import type { ListNumbers, Sealing, SignedText } from '../../store/sealing.ts'
import type { Store } from '../../store/store.ts'
import { SharedAsks } from './shared-asks.ts'

/** Of all organizations together. */
export const KEPT_BYTES = 32 * 1024 * 1024

interface Kept {
  /** Which lists these are. */
  edition: string
  /** The beginning of a JSON object, up to what follows its last member. */
  json: SharedBytes
}

export interface KeptListsOptions {
  store: Pick<Store, 'readSealing' | 'readListNumbers'>
  book: Pick<AccessBook, 'isStoreSilent'>
  /** Counts them while somebody has not read them. */
  budget: ByteBudget
}

export class KeptLists {
  readonly #options: KeptListsOptions
  /** Those that were asked for last are at the end. */
  readonly #kept = new Map<string, Kept>()
  readonly #numbers: SharedAsks<ListNumbers | undefined>
  readonly #editions: SharedAsks<Kept>
  #bytes = 0

  constructor(options: KeptListsOptions) {
    this.#options = options
    this.#numbers = new SharedAsks((organization) => options.store.readListNumbers(organization))
    this.#editions = new SharedAsks((organization) => this.#read(organization))
  }

  /** The organization, its mode, its seal and its lists. */
  async describe(organization: string): Promise<Readonly<Kept>> {
    const { book } = this.#options
    const numbers = await whileStoreAnswers(book, () => this.#numbers.ask(organization))
    const kept = this.#kept.get(organization)
    const isNewest = kept?.edition === JSON.stringify(numbers)
    const newest = isNewest ? kept : await whileStoreAnswers(book, () => this.#editions.ask(organization))
    this.#keep(organization, newest)
    return newest
  }

  async #read(organization: string): Promise<Kept> {
    const { store, budget } = this.#options
    const sealing = await store.readSealing(organization)
    const json = new SharedBytes(formatSealing(organization, sealing ?? { mode: 'off' }), budget, organization)
    return { edition: editionOf(sealing), json }
  }

  #keep(organization: string, kept: Kept): void {
    this.#drop(organization)
    this.#kept.set(organization, kept)
    this.#bytes += kept.json.bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= KEPT_BYTES) return
      this.#drop(oldest)
    }
  }

  #drop(organization: string): void {
    this.#bytes -= this.#kept.get(organization)?.json.bytes.length ?? 0
    this.#kept.delete(organization)
  }
}

/** As the numbers alone would have it. */
function editionOf(sealing: Sealing | undefined): string {
  if (!sealing) return JSON.stringify(undefined)
  const { mode, seal, administrators, devices } = sealing
  const numbers: ListNumbers = {
    mode,
    seal,
    administrators: administrators?.number ?? 0,
    devices: devices?.number ?? 0,
  }
  return JSON.stringify(numbers)
}

function formatSealing(organization: string, { mode, seal, administrators, devices }: Sealing): Buffer {
  const parts = { organization, mode, seal, administrators: signedOf(administrators), devices: signedOf(devices) }
  return Buffer.from(JSON.stringify(parts).slice(0, -1))
}

function signedOf(list: SignedText | undefined): SignedText | undefined {
  return list && { text: list.text, key: list.key, signature: list.signature }
}
