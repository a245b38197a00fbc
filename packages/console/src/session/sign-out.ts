import { api, send } from '../api/client.ts'
import { messageOf } from '../parts/feedback/states.tsx'
import { showProblem } from '../parts/feedback/toasts.tsx'

export async function signOut(): Promise<void> {
  try {
    await send(api.POST('/sign-out'))
    // Loads a fresh page, so that no data of this person stays in memory.
    window.location.assign('/')
  } catch (error) {
    showProblem(new Error(`You're still signed in. ${messageOf(error)}`, { cause: error }))
  }
}
