import { State } from '../text/badge.tsx'

interface SealedDevice {
  state: 'approved' | 'new-key' | 'not-approved' | 'no-key' | 'removed'
  isOnline: boolean
}

const STATES = {
  approved: { tone: 'good', word: 'Approved' },
  'new-key': { tone: 'bad', word: 'Key changed' },
  'not-approved': { tone: 'warn', word: 'Not approved' },
  'no-key': { tone: 'warn', word: 'App outdated' },
  removed: { tone: 'warn', word: 'Removed' },
} as const

/** Whether a device can open sealed requests, in a word. */
export function SealState({ state }: Pick<SealedDevice, 'state'>) {
  return <State {...STATES[state]} />
}

/** What to do about a device that is not approved; undefined if there is nothing to do. */
export function sealAdvice({ state, isOnline }: SealedDevice): string | undefined {
  switch (state) {
    case 'approved':
      return undefined
    case 'new-key':
      return 'Its key is not the approved one. If someone reinstalled the app, run hearth-seal approve and compare the fingerprint. If nobody did, find out why first.'
    case 'not-approved':
      return isOnline
        ? 'Run hearth-seal approve, and compare the fingerprint with the one that hearth-device status shows on the device.'
        : 'It is offline. Start it, then run hearth-seal approve.'
    case 'no-key':
      return 'Run hearth-device update on the device, then hearth-seal approve.'
    case 'removed':
      return 'It is no longer a device of this organization, but clients still trust its key. Run hearth-seal revoke.'
    default:
      return state satisfies never
  }
}
