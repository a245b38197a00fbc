import { queryOptions } from '@tanstack/react-query'
import { api, isSignedOut, send } from './client.ts'
import { ownMemory } from './person-memory.ts'
import { endSession, ME, queryClient, SIGN_IN } from './query-client.ts'

export const signInOptions = queryOptions({
  queryKey: SIGN_IN,
  queryFn: async ({ signal }) => send(api.GET('/sign-in', { signal })),
})

/** Where this person is signed in. */
export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await send(api.GET('/me/sessions', { signal }))).sessions,
})

/** What happened to their account lately. */
export const activity = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }) => (await send(api.GET('/me/activity', { signal }))).activities,
})

/** After one of them has ended, which is activity too. */
export async function refetchSessions(): Promise<void> {
  await Promise.all([sessions, activity].map((query) => queryClient.invalidateQueries({ queryKey: query.queryKey })))
}

/** Null while no one is signed in. */
export const me = queryOptions({
  queryKey: ME,
  queryFn: async ({ signal }) => {
    try {
      const found = await send(api.GET('/me', { signal }))
      ownMemory(found.person.id)
      return found
    } catch (error) {
      if (!isSignedOut(error)) throw error
      endSession()
      return null
    }
  },
})
