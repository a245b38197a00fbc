// The signed lists of organizations as JSON, so that a list of 10,000 devices is not read from the store for each client that asks. Which
// list is the newest, the store says each time.

import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import type { AccessBook } from '../../access/book/access-book.ts'
import type { ListNumbers, Sealing, SignedText } from '../../store/sealing.ts'
import type { Store } from '../../store/store.ts'
import { SharedAsks } from './shared-asks.ts'

/** Of all organizations together. */
export const KEPT_BYTES = 32 * 1024 * 1024

interface Kept {
  /** Which lists these are. */
  edition: string
  /** The inside of a JSON object. */
  json: string
}

export interface KeptListsOptions {
  store: Pick<Store, 'readSealing' | 'readListNumbers'>
  book: Pick<AccessBook, 'isStoreSilent'>
}

export class KeptLists {
  readonly #options: KeptListsOptions
  /** Those that were asked for last are at the end. */
  readonly #kept = new Map<string, Kept>()
  readonly #numbers: SharedAsks<ListNumbers | undefined>
  readonly #sealings: SharedAsks<Sealing | undefined>
  #bytes = 0

  constructor(options: KeptListsOptions) {
    this.#options = options
    this.#numbers = new SharedAsks((organization) => options.store.readListNumbers(organization))
    this.#sealings = new SharedAsks((organization) => options.store.readSealing(organization))
  }

  /** The mode, the seal and the lists of an organization, as the inside of a JSON object. */
  async describe(organization: string): Promise<string> {
    const { book } = this.#options
    const numbers = await whileStoreAnswers(book, () => this.#numbers.ask(organization))
    const edition = JSON.stringify(numbers)
    const kept = this.#kept.get(organization)
    if (kept?.edition === edition) {
      this.#keep(organization, kept)
      return kept.json
    }
    const sealing = await whileStoreAnswers(book, () => this.#sealings.ask(organization))
    const json = formatSealing(sealing ?? { mode: 'off' })
    this.#keep(organization, { edition: editionOf(sealing), json })
    return json
  }

  #keep(organization: string, kept: Kept): void {
    this.#drop(organization)
    this.#kept.set(organization, kept)
    this.#bytes += kept.json.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= KEPT_BYTES) return
      this.#drop(oldest)
    }
  }

  #drop(organization: string): void {
    this.#bytes -= this.#kept.get(organization)?.json.length ?? 0
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

function formatSealing({ mode, seal, administrators, devices }: Sealing): string {
  const parts = { mode, seal, administrators: signedOf(administrators), devices: signedOf(devices) }
  return JSON.stringify(parts).slice(1, -1)
}

function signedOf(list: SignedText | undefined): SignedText | undefined {
  return list && { text: list.text, key: list.key, signature: list.signature }
}
