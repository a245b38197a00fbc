// Says in words what happened to an account.

import type { Shapes } from '../../api/client.ts'

type Activity = Pick<Shapes['Activity'], 'event' | 'way' | 'times'>

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
