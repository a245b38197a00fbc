import { queryOptions } from '@tanstack/react-query'
import { api, isSignedOut, send } from '../client.ts'
import { ME, SIGN_IN } from '../query-client.ts'

export const signInOptions = queryOptions({
  queryKey: SIGN_IN,
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
