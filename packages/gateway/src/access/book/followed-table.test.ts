import { expect, it } from 'vitest'
import { FollowedTable, type KnownRows } from './followed-table.ts'

it('a followed table reads the first time page by page, and forgets what is no longer there', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => index + 1)
  const known = new Set([9_999])
  const keyOf = (row: number) => ({ organization: 'o', id: String(row) })
  const knownRows: KnownRows<number> = {
    put: (row) => known.add(row),
    drop: ({ id }) => known.delete(Number(id)),
    keyOf,
    keys: () => known.values().map(keyOf),
  }
  const pages: number[] = []
  const table = new FollowedTable(
    {
      page: async ({ after, limit }) => {
        const start = Number(after?.id ?? 0)
        pages.push(start)
        const page = rows.slice(start, start + limit)
        // Some rows of a page may not count, so the source says where it ends.
        const end = keyOf(start + limit)
        return { rows: page.filter((row) => row % 2 === 0), ...(page.length === limit && { end }) }
      },
      changes: async () => [],
    },
    knownRows,
  )
  await table.catchUp(1)
  expect(pages).toEqual([0, 1_000, 2_000])
  expect([...known].toSorted((one, other) => one - other)).toEqual(rows.filter((row) => row % 2 === 0))
  await table.catchUp(1)
  expect(pages).toHaveLength(3)
})
