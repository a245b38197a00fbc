import { api, send } from '../api/client.ts'
import { forgetPerson } from '../api/query-client.ts'
import { messageOf } from '../parts/feedback/states.tsx'
import { showProblem } from '../parts/feedback/toasts.tsx'

/** Its value is the time of the last sign-out. A change of it reaches all other tabs. */
const KEY = 'hearth-signed-out'

/** Nothing of a person stays in memory after they sign out, in whichever tab. */
export function followSignOut(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) forgetPerson()
  })
}

export async function signOut(): Promise<void> {
  try {
    await send(api.POST('/sign-out'))
    localStorage.setItem(KEY, String(Date.now()))
    // Loads a fresh page, so that no data of this person stays in memory.
    window.location.assign('/')
  } catch (error) {
    showProblem(new Error(`You're still signed in. ${messageOf(error)}`, { cause: error }))
  }
}
