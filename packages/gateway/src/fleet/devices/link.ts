// Whose link it is, and how far it has come.

import type { Hello } from '@hearth/protocol'

export interface DeviceIdentity {
  id: string
  organization: string
  name: string
}

export type LinkState =
  | { name: 'greeting'; since: number }
  | { name: 'serving'; hello: Hello }
  | { name: 'draining'; hello: Hello }
  | { name: 'closed' }
