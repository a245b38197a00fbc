// Which texts this browser is formatting. What a browser doesn't finish, because the page ended or stood still, is not formatted again: the text
// stays readable.

export class Unfinished {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** From before this page, or since an error. */
  readonly #failed: Set<string>
  readonly #begun = new Set<string>()

  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    this.#storage = storage
    this.#failed = new Set(readIds(storage))
  }

  hasFailed(id: string): boolean {
    return this.#failed.has(id)
  }

  begin(id: string): void {
    if (this.#begun.has(id)) return
    this.#begun.add(id)
    this.#change((ids) => ids.add(id))
  }

  end(id: string): void {
    if (this.#begun.delete(id)) this.#change((ids) => ids.delete(id))
  }

  fail(id: string): void {
    this.#begun.delete(id)
    this.#failed.add(id)
    this.#change((ids) => ids.add(id))
  }

  /** It may be tried again. */
  forget(id: string): void {
    this.#failed.delete(id)
    this.#change((ids) => ids.delete(id))
  }

  /** The page is left in order, whatever it was doing. */
  leave(): void {
    for (const id of this.#begun) this.end(id)
  }

  /** Other tabs have ids there, too. */
  #change(change: (ids: Set<string>) => void): void {
    const ids = new Set(readIds(this.#storage))
    change(ids)
    try {
      if (ids.size === 0) this.#storage.removeItem(NAME)
      else this.#storage.setItem(NAME, [...ids].slice(-MOST_IDS).join(' '))
    } catch {
      // Without storage, only this page remembers.
    }
  }
}

const NAME = 'hearth-unfinished'
const MOST_IDS = 100

function readIds(storage: Pick<Storage, 'getItem'>): string[] {
  try {
    return storage.getItem(NAME)?.split(' ') ?? []
  } catch {
    return []
  }
}
