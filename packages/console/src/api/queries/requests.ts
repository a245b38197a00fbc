import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { organizationApi } from '../organization-api.ts'
import type { paths } from '../schema.d.ts'
import { organizationQuery } from './organization-query.ts'

type RequestQuery = NonNullable<paths['/organizations/{organization}/requests']['get']['parameters']['query']>
export type RequestFilter = Omit<RequestQuery, 'before' | 'limit'>

const PAGE = 200
const READ_AGAIN_MS = 5_000
const LATEST_FAILED = 5
const WAITING_MS = 1_000
const LATEST = 8
const LOOK_AGAIN_MS = 1_000
const MOST_LOOKS = 8
const WEEK_MS = 7 * 86_400_000
const MOST_AT_ONCE = 1_000

export function requests(organization: string, filter: RequestFilter) {
  return infiniteQueryOptions({
    queryKey: [organization, 'requests', filter],
    queryFn: async ({ signal, pageParam }) => readRequests(organization, filter, pageParam, PAGE, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // Someone who looks further down is not disturbed: every page would be fetched again.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : READ_AGAIN_MS),
  })
}

export async function readRequests(
  organization: string,
  filter: RequestFilter,
  before: number | null,
  limit: number,
  signal?: AbortSignal,
) {
  const query = { ...filter, limit, ...(before !== null && { before }) }
  return organizationApi(organization, signal).get('/requests', { query })
}

/** The latest requests that failed, newest first. */
export function failedRequests(organization: string) {
  return organizationQuery(organization, ['requests', 'failed'], async (own) => {
    return (await own.get('/requests', { query: { result: 'failed', limit: LATEST_FAILED } })).requests
  })
}

/** One of the latest requests, by its x-request-id. The gateway lists a request seconds after it ends, so the first looks may find nothing. */
export function recentRequest(organization: string, filter: RequestFilter, id: string) {
  return queryOptions({
    queryKey: [organization, 'recent-request', id],
    queryFn: async ({ signal }) => {
      const { requests: latest } = await readRequests(organization, filter, null, LATEST, signal)
      return latest.find((request) => request.id === id) ?? null
    },
    enabled: ({ state }) => !state.data && state.dataUpdateCount < MOST_LOOKS,
    // Less and less often: nearly all are listed within seconds, and nobody minds if a few are not found.
    refetchInterval: ({ state }) => LOOK_AGAIN_MS * 2 ** state.dataUpdateCount,
  })
}

/** The names of keys that sent plain requests in the last seven days, as far as the gateway still lists requests. */
export function plainKeys(organization: string) {
  return queryOptions({
    queryKey: [organization, 'plain-keys'],
    queryFn: async ({ signal }) => {
      const filter = { from: new Date(Date.now() - WEEK_MS).toISOString(), result: 'answered' }
      const { requests: latest, next } = await readRequests(organization, filter, null, MOST_AT_ONCE, signal)
      const keys = latest.filter(({ isSealed }) => !isSealed).map(({ key }) => [key.id, key.name] as const)
      return { names: [...new Map(keys).values()], isAll: next === null }
    },
  })
}

/** Requests of the playground that wait for their response. Asked again every second, as long as someone waits. */
export function waitingRequests(organization: string) {
  const query = organizationQuery(
    organization,
    ['playground-requests'],
    async (own) => (await own.get('/playground-requests')).requests,
  )
  return { ...query, refetchInterval: WAITING_MS, staleTime: 0, gcTime: 0 }
}
