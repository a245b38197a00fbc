// The cache of everything the console fetches.

import { QueryClient } from '@tanstack/react-query'
import { isTransient, isSignedOut } from './client.ts'
import { clearMemory, pauseMemory } from './person-memory.ts'

const RETRIES = 3
const FRESH_MS = 10_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A gateway on the local network is reachable even when the browser thinks it is offline.
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < RETRIES && isTransient(error),
      // The session may have ended in another tab.
      refetchOnWindowFocus: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** Query keys that belong to no organization. All others start with the id of one. */
export const ME = ['me'] as const
export const SIGN_IN = ['sign-in'] as const

queryClient.getQueryCache().config.onError = noteSignedOut
queryClient.getMutationCache().config.onError = noteSignedOut

/** Drops everything that belongs to the person who was signed in. */
export function forgetPerson(): void {
  clearMemory()
  endSession()
}

/** Drops everything that was fetched. What the person wrote waits until they sign in again. */
export function endSession(): void {
  pauseMemory()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] && queryKey[0] !== SIGN_IN[0] })
  queryClient.setQueryData(ME, null)
}

function noteSignedOut(error: unknown): void {
  if (isSignedOut(error)) endSession()
}
