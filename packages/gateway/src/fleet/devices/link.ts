// The link of a device: whose it is, how far it has come, and its connection, without the WebSocket library: that stays in http/.

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

export interface PingIntervals {
  busyMs: number
  idleMs: number
}

/** How the registry reaches the device. */
export interface DeviceSocket {
  /** `whenSent` is called once the text has left this process. */
  send(text: string, whenSent?: () => void): void
  /** Says goodbye, and cuts the connection a few seconds later if the device doesn't answer. */
  close(code: number, reason: string): void
  /** Bytes handed over and not yet sent. */
  readonly bufferedBytes: number
  /** Where the device connects from, as far as the gateway can know. */
  readonly address?: string
}
