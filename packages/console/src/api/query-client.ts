// The cache of everything the console fetches.

import { QueryClient } from '@tanstack/react-query'
import { isPassing, isSignedOut } from './client.ts'

const RETRIES = 3
const FRESH_MS = 10_000

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

/** Query keys that belong to no organization. All others start with the id of one. */
export const ME = ['me'] as const
export const SIGN_IN = ['sign-in'] as const

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
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] && queryKey[0] !== SIGN_IN[0] })
  queryClient.setQueryData(ME, null)
}

function noteSignedOut(error: unknown): void {
  if (isSignedOut(error)) forgetPerson()
}
