// Says which devices use a chat template from the console. Their owners decide.

import { plural } from '../../../lib/format.ts'

interface Serving {
  name: string
  takesTemplates: boolean
}

/** Undefined if all of them use it. */
export function templateUse(devices: readonly Serving[]): string | undefined {
  const without = devices.filter(({ takesTemplates }) => !takesTemplates).map(({ name }) => name)
  if (without.length === 0) return undefined
  const using = devices.length - without.length
  const total = plural(devices.length, 'device')
  const use = using === 0 ? 'No device uses it' : `${using} of ${total} ${using === 1 ? 'uses' : 'use'} it`
  const owners = without.length === 1 ? 'owner' : 'owners'
  const forbid = without.length === 1 ? 'doesn’t' : 'don’t'
  const names = new Intl.ListFormat('en-US').format(without)
  return `${use}: the ${owners} of ${names} ${forbid} allow it.`
}
