// Says in words what happened to an account.

import type { Schemas } from '../../api/client.ts'

type Activity = Pick<Schemas['Activity'], 'event' | 'way' | 'times'>

const WAYS = {
  password: 'your password',
  code: 'your password and a code',
  'backup-code': 'your password and a backup code',
  passkey: 'a passkey',
  provider: 'single sign-on',
} as const satisfies Record<NonNullable<Activity['way']>, string>

const EVENTS = {
  'sign-in': 'Signed in',
  'wrong-password': 'Wrong password',
  'wrong-code': 'Wrong code',
  'change-password': 'Changed the password',
  'add-second-factor': 'Turned on two-factor authentication',
  'remove-second-factor': 'Turned off two-factor authentication',
  'add-passkey': 'Added a passkey',
  'remove-passkey': 'Removed a passkey',
  'end-sessions': 'Ended other sessions',
  reset: 'The operator reset the sign-in',
} as const satisfies Record<Activity['event'], string>

export function describeActivity({ event, way, times }: Activity): string {
  if (event === 'sign-in' && way !== null) return `Signed in with ${WAYS[way]}`
  return times > 1 ? `${EVENTS[event]}, ${times} times` : EVENTS[event]
}

/** If it wasn't the person. */
export function adviseOn(event: Activity['event']): string {
  const found = event === 'wrong-password' ? GUESSED : KNOWN
  return `${found} That signs you out everywhere but here. Then check your passkeys and two-factor authentication.`
}

const GUESSED =
  'Someone tried to sign in and did not have your password. If you use it elsewhere, or it is easy to guess, choose a new one.'
/** Whoever is asked for a code has given the password, and so has whoever is in. */
const KNOWN = 'Someone may know your password. Choose a new one.'
