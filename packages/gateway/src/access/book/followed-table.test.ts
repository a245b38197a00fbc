import { expect, it } from 'vitest'
import type { Place } from '../../store/revisions/access-rows.ts'
import { FollowedTable, type KnownRows } from './followed-table.ts'

class Numbers implements KnownRows<number> {
  readonly all = new Set<number>()

  put(row: number): void {
    this.all.add(row)
  }

  drop({ id }: Place): void {
    this.all.delete(Number(id))
  }

  placeOf(row: number): Place {
    return { organization: 'o', id: String(row) }
  }

  *places(): Iterable<Place> {
    for (const row of this.all) yield this.placeOf(row)
  }
}

it('a followed table reads the first time page by page, and forgets what is no longer there', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => index + 1)
  const known = new Numbers()
  known.put(9_999)
  const pages: number[] = []
  const table = new FollowedTable(
    {
      page: async ({ after, limit }) => {
        const start = Number(after?.id ?? 0)
        pages.push(start)
        const page = rows.slice(start, start + limit)
        // Some rows of a page may not count, so the source says where it ends.
        const end = { organization: 'o', id: String(start + limit) }
        return { rows: page.filter((row) => row % 2 === 0), ...(page.length === limit && { end }) }
      },
      changes: async () => [],
    },
    known,
  )
  await table.catchUp(1)
  expect(pages).toEqual([0, 1_000, 2_000])
  expect([...known.all].toSorted((one, other) => one - other)).toEqual(rows.filter((row) => row % 2 === 0))
  await table.catchUp(1)
  expect(pages).toHaveLength(3)
})
