import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useSession } from '../../../session/session.ts'
import type { RequestFilter } from './request-filters.tsx'
import { readRequests } from './read-requests.ts'

const PAGE = 200
const REFETCH_MS = 5_000
/** Rows before the end at which the next page is fetched. */
const AHEAD = 60

/** Fetches the next page shortly before someone scrolls to its first row. */
export function useRequestRows(filters: RequestFilter) {
  const { organization } = useSession()
  const query = useInfiniteQuery({
    queryKey: [organization.id, 'requests', filters],
    queryFn: async ({ signal, pageParam }) => readRequests(organization.id, filters, pageParam, PAGE, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // Someone who looks further down is not disturbed: every page would be fetched again.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REFETCH_MS),
  })
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = query
  const rows = useMemo(() => data?.pages.flatMap(({ requests }) => requests) ?? [], [data])
  const onShow = useCallback(
    (_first: number, end: number) => {
      if (end > rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  return { query, rows, onShow }
}
