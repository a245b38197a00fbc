// The one thing about sealed requests that most needs attention.

import type { Schemas } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'

type Sealing = Pick<Schemas['Sealing'], 'mode' | 'devices'>

interface Notice {
  title: string
  text: string
}

/** Undefined if everything is as it should be. */
export function describeSealing({ mode, devices }: Sealing): Notice | undefined {
  const unapproved = countUnapproved({ devices })
  if (mode === 'off') return { title: 'Set up, but off.', text: 'Choose Optional or Required to use it.' }
  if (unapproved === 0) return undefined
  if (devices.every(({ state }) => state !== 'approved'))
    return { title: 'No device is approved.', text: 'Nothing can answer a sealed request. Run hearth-seal approve.' }
  const isOne = unapproved === 1
  return {
    title: `${plural(unapproved, 'device')} not approved.`,
    text:
      mode === 'required'
        ? `${isOne ? 'It' : 'They'} can't answer anything until you approve ${isOne ? 'it' : 'them'}.`
        : `${isOne ? 'It gets' : 'They get'} only plain requests.`,
  }
}

/** How many devices can't answer while only sealed requests are accepted. */
export function countUnapproved({ devices }: Pick<Sealing, 'devices'>): number {
  return devices.filter(({ state }) => state !== 'removed' && state !== 'approved').length
}
