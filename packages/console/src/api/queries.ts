// Everything the console fetches, and what it fetches again after a change. Query keys of an organization's data start with its id.

import { infiniteQueryOptions, QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { readNewestBuild } from '../lib/build.ts'
import { api, isPassing, isSignedOut, send } from './client.ts'
import type { paths } from './schema.d.ts'

const RETRIES = 3
const FRESH_MS = 10_000
const AUDIT_PAGE = 50
const WAITING_MS = 1_000
const FOUND_KEYS = 10
const FAILED_REQUESTS = 5

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A gateway on the local network is reachable even when the browser thinks it is offline.
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < RETRIES && isPassing(error),
      // The session may have ended in another tab.
      refetchOnWindowFocus: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

const ME = ['me'] as const

queryClient.getQueryCache().config.onError = noteSignedOut
queryClient.getMutationCache().config.onError = noteSignedOut

const onForget: (() => void)[] = []

/** Calls back when the person signs out, so that nothing of theirs stays in memory. */
export function whenForgotten(act: () => void): void {
  onForget.push(act)
}

/** Drops everything that belongs to the person who was signed in. */
export function forgetPerson(): void {
  for (const act of onForget) act()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] && queryKey[0] !== 'sign-in' })
  queryClient.setQueryData(ME, null)
}

function noteSignedOut(error: unknown): void {
  if (isSignedOut(error)) forgetPerson()
}

export const signInOptions = queryOptions({
  queryKey: ['sign-in'],
  queryFn: async ({ signal }) => send(api.GET('/sign-in', { signal })),
})

/** Null while no one is signed in. */
export const me = queryOptions({
  queryKey: ME,
  queryFn: async ({ signal }) => {
    try {
      return await send(api.GET('/me', { signal }))
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
})

export function overview(organization: string) {
  return queryOptions({
    queryKey: [organization, 'overview'],
    queryFn: async ({ signal }) =>
      send(api.GET('/organizations/{organization}/overview', { params: { path: { organization } }, signal })),
  })
}

export function organizationSettings(organization: string) {
  return queryOptions({
    queryKey: [organization, 'organization'],
    queryFn: async ({ signal }) =>
      send(api.GET('/organizations/{organization}', { params: { path: { organization } }, signal })),
  })
}

/** Changes when the gateway is updated. Read again with everything else when the gateway is back. */
export const newestBuild = queryOptions({ queryKey: ['build'], queryFn: readNewestBuild })

export function models(organization: string) {
  return queryOptions({
    queryKey: [organization, 'models'],
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/models'
      return (await send(api.GET(path, { params: { path: { organization } }, signal }))).models
    },
  })
}

export function modelDefaults(organization: string, name: string) {
  return queryOptions({
    queryKey: [organization, 'model-defaults', name],
    queryFn: async ({ signal }) => {
      const params = { path: { organization }, query: { name } }
      return send(api.GET('/organizations/{organization}/models/defaults', { params, signal }))
    },
  })
}

/** Well-known open models. The list changes only with a new version of the gateway. */
export function knownModels(organization: string) {
  return queryOptions({
    queryKey: [organization, 'known-models'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/known-models'
      return (await send(api.GET(path, { params: { path: { organization } }, signal }))).models
    },
  })
}

export function devices(organization: string) {
  return queryOptions({
    queryKey: [organization, 'devices'],
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/devices'
      return (await send(api.GET(path, { params: { path: { organization } }, signal }))).devices
    },
  })
}

export function deviceSpeeds(organization: string, device: string) {
  return queryOptions({
    queryKey: [organization, 'devices', device, 'speeds'],
    queryFn: async ({ signal }) => {
      const params = { path: { organization, device } }
      return (await send(api.GET('/organizations/{organization}/devices/{device}/speeds', { params, signal }))).models
    },
  })
}

/** Asked again every second, as long as someone waits. */
export function waitingRequests(organization: string) {
  return queryOptions({
    queryKey: [organization, 'playground-requests'],
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/playground-requests'
      return (await send(api.GET(path, { params: { path: { organization } }, signal }))).requests
    },
    refetchInterval: WAITING_MS,
    staleTime: 0,
    gcTime: 0,
  })
}

export function enrolments(organization: string) {
  return queryOptions({
    queryKey: [organization, 'enrolments'],
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/enrolments'
      return (await send(api.GET(path, { params: { path: { organization } }, signal }))).enrolments
    },
  })
}

type KeyQuery = NonNullable<paths['/organizations/{organization}/keys']['get']['parameters']['query']>
export type KeyQuestion = Omit<KeyQuery, 'offset' | 'limit'>

export const KEY_PAGE = 100

export function keyPage(organization: string, question: KeyQuestion, page: number) {
  return queryOptions({
    queryKey: [organization, 'keys', question, page],
    queryFn: async ({ signal }) => {
      const query = { ...question, offset: page * KEY_PAGE, limit: KEY_PAGE }
      return send(api.GET('/organizations/{organization}/keys', { params: { path: { organization }, query }, signal }))
    },
    placeholderData: (before) => before,
  })
}

export function oneKey(organization: string, key: string) {
  return queryOptions({
    queryKey: [organization, 'keys', key],
    queryFn: async ({ signal }) => {
      const params = { path: { organization, key } }
      return send(api.GET('/organizations/{organization}/keys/{key}', { params, signal }))
    },
  })
}

type RequestQuery = NonNullable<paths['/organizations/{organization}/requests']['get']['parameters']['query']>
export type RequestFilter = Omit<RequestQuery, 'before' | 'limit'>

const REQUEST_PAGE = 200
const REQUESTS_MS = 5_000

export function requests(organization: string, filter: RequestFilter) {
  return infiniteQueryOptions({
    queryKey: [organization, 'requests', filter],
    queryFn: async ({ signal, pageParam }) => readRequests(organization, filter, pageParam, REQUEST_PAGE, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // Someone who looks further down is not disturbed: every page would be fetched again.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REQUESTS_MS),
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
  const params = { path: { organization }, query }
  return send(api.GET('/organizations/{organization}/requests', { params, ...(signal && { signal }) }))
}

/** A few keys for someone who types a part of their name. */
export function findKeys(organization: string, search: string) {
  return queryOptions({
    queryKey: [organization, 'keys', 'find', search],
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/keys'
      const query = { search, limit: FOUND_KEYS }
      return (await send(api.GET(path, { params: { path: { organization }, query }, signal }))).keys
    },
  })
}

export function members(organization: string) {
  return queryOptions({
    queryKey: [organization, 'members'],
    queryFn: async ({ signal }) =>
      send(api.GET('/organizations/{organization}/members', { params: { path: { organization } }, signal })),
  })
}

export function invitations(organization: string) {
  return queryOptions({
    queryKey: [organization, 'invitations'],
    queryFn: async ({ signal }) => {
      const path = '/organizations/{organization}/invitations'
      return (await send(api.GET(path, { params: { path: { organization } }, signal }))).invitations
    },
  })
}

export interface UsageQuestion {
  /** UTC timestamps, ISO 8601. */
  from: string
  to: string
  by: 'model' | 'key' | 'device'
  step: 'hour' | 'day'
  /** Only this key. */
  key?: string
}

export function usage(organization: string, question: UsageQuestion) {
  return queryOptions({
    queryKey: [organization, 'usage', question],
    queryFn: async ({ signal }) => {
      const params = { path: { organization }, query: question }
      return send(api.GET('/organizations/{organization}/usage', { params, signal }))
    },
  })
}

/** The latest requests that failed, newest first. */
export function failedRequests(organization: string) {
  return queryOptions({
    queryKey: [organization, 'requests', 'failed'],
    queryFn: async ({ signal }) => {
      const params = { path: { organization }, query: { result: 'failed', limit: FAILED_REQUESTS } }
      return (await send(api.GET('/organizations/{organization}/requests', { params, signal }))).requests
    },
  })
}

export function audit(organization: string) {
  return infiniteQueryOptions({
    queryKey: [organization, 'audit'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: AUDIT_PAGE, ...(pageParam !== null && { before: pageParam }) }
      return send(api.GET('/organizations/{organization}/audit', { params: { path: { organization }, query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}

/** The kinds of change the gateway announces. */
export type Change = 'devices' | 'models' | 'keys' | 'members' | 'usage' | 'organization'

const READ_AGAIN: Record<Change, readonly string[]> = {
  devices: ['devices', 'models', 'enrolments', 'overview'],
  models: ['models', 'model-defaults', 'devices', 'overview'],
  keys: ['keys', 'members', 'overview'],
  members: ['members', 'invitations', 'keys', 'overview'],
  usage: ['usage', 'requests'],
  organization: ['organization', 'overview'],
}

/** Always includes the audit log, because every change adds an entry to it. */
export async function readAgain(organization: string, changes: readonly Change[]): Promise<void> {
  const names = new Set([...changes.flatMap((change) => READ_AGAIN[change]), 'audit'])
  // A role change may affect what the viewer can do.
  if (changes.includes('organization') || changes.includes('members')) void readMeAgain()
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [owner, name] }) => owner === organization && names.has(name as string),
  })
}

/** After signing in or joining an organization, this brings up the page behind it. */
export async function readMeAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ME })
}

export async function readEverythingAgain(): Promise<void> {
  await queryClient.invalidateQueries()
}

/** Runs a change and fetches the affected data again before the caller's `onSuccess` runs. */
export function useChange<Input, Output>(
  organization: string,
  changes: readonly Change[],
  act: (input: Input) => Promise<Output>,
) {
  return useMutation<Output, Error, Input>({
    mutationFn: act,
    onSuccess: async () => readAgain(organization, changes),
  })
}
