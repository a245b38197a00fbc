import { api, send } from '../api/client.ts'
import { forgetPerson } from '../api/query-client.ts'
import { messageOf } from '../parts/feedback/states.tsx'
import { showProblem } from '../parts/feedback/toasts.tsx'

const tabs = new BroadcastChannel('hearth-sign-out')

/** Nothing of a person stays in memory after they sign out, in whichever tab. */
export function followSignOut(): void {
  tabs.addEventListener('message', forgetPerson)
}

export async function signOut(): Promise<void> {
  try {
    await send(api.POST('/sign-out'))
    tabs.postMessage('signed-out')
    // Loads a fresh page, so that no data of this person stays in memory.
    window.location.assign('/')
  } catch (error) {
    showProblem(new Error(`You're still signed in. ${messageOf(error)}`, { cause: error }))
  }
}
