// Keeps the rows of one kind in memory up to date. The first time it reads all of them, page by page; after that, only what changed. Neither
// blocks the event loop for long, however many rows there are.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, PageRequest, RevisionRange } from '../../store/revisions/access-tables.ts'
import type { Changed, RowKey } from '../../store/revisions/access-rows.ts'

/** Rows in memory. */
export interface KnownRows<Row> {
  /** The row is new, or has changed. */
  put(row: Row): void
  drop(key: RowKey): void
  keyOf(row: Row): RowKey
  keys(): Iterable<RowKey>
}

export interface TableSource<Row> {
  page(request: PageRequest): Promise<Page<Row>>
  changes(range: RevisionRange): Promise<Changed<Row>[] | undefined>
}

/** Takes a few milliseconds to read. */
const PAGE = 1_000

export class FollowedTable<Row> {
  readonly #source: TableSource<Row>
  readonly #known: KnownRows<Row>
  /** The revision that memory agrees with; undefined before the first load. */
  #revision: number | undefined

  constructor(source: TableSource<Row>, known: KnownRows<Row>) {
    this.#source = source
    this.#known = known
  }

  /** Resolves when memory holds at least everything up to this revision. */
  async catchUp(revision: number): Promise<void> {
    // A database that was restored from a backup has gone back in time.
    if (this.#revision === undefined || revision < this.#revision) return this.#load(revision)
    while (this.#revision < revision) {
      const upTo = Math.min(revision, this.#revision + PAGE)
      const changes = await this.#source.changes({ after: this.#revision, upTo })
      if (!changes) return this.#load(revision)
      for (const change of changes) this.#apply(change)
      this.#revision = upTo
    }
  }

  #apply({ now, ...key }: Changed<Row>): void {
    if (now) this.#known.put(now)
    else this.#known.drop(key)
  }

  /** `revision` was read before the rows: changes since then are read again, which does no harm. */
  async #load(revision: number): Promise<void> {
    const found = new Set<string>()
    let after: RowKey | undefined
    do {
      const { rows, end } = await this.#source.page({ limit: PAGE, after })
      for (const row of rows) {
        this.#known.put(row)
        found.add(nameOf(this.#known.keyOf(row)))
      }
      after = end
    } while (after)
    await this.#dropAllBut(found)
    this.#revision = revision
  }

  async #dropAllBut(found: ReadonlySet<string>): Promise<void> {
    let count = 0
    for (const key of this.#known.keys()) {
      if (!found.has(nameOf(key))) this.#known.drop(key)
      if (++count % PAGE === 0) await nextTurn()
    }
  }
}

function nameOf({ organization, id }: RowKey): string {
  return `${organization}\n${id}`
}
