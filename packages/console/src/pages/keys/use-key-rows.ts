import { useState, useCallback } from 'react'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/organization-api.ts'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from '../../session/session.ts'

const PAGE = 100

/** The keys of a long list, fetched a page at a time: the pages on the screen and nothing else. */
export function useKeyRows(filters: object) {
  const { organization } = useSession()
  const [pages, setPages] = useState<readonly number[]>([0])
  const onShow = useCallback((first: number, end: number) => {
    const [low, high] = [Math.floor(first / PAGE), Math.floor(Math.max(first, end - 1) / PAGE)]
    setPages((before) =>
      before[0] === low && before.at(-1) === high
        ? before
        : Array.from({ length: high - low + 1 }, (_, at) => low + at),
    )
  }, [])
  // Shows the page before until this one is here.
  const queryOf = (page: number) => ({
    ...readQuery(organization.id, '/keys', { query: { ...filters, offset: page * PAGE, limit: PAGE } }),
    placeholderData: keepPreviousData,
  })
  const first = useQuery(queryOf(0))
  const shown = useQueries({ queries: pages.map(queryOf) })
  const rowAt = (index: number): Schemas['Key'] | undefined => {
    const position = pages.indexOf(Math.floor(index / PAGE))
    const query = shown[position]
    return query?.isPlaceholderData ? undefined : query?.data?.keys[index % PAGE]
  }
  return { first, rowAt, onShow }
}
