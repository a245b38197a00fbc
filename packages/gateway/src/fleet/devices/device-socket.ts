// Both directions of a device's connection, without the WebSocket library: that stays in http/.

/** How the hub reaches the device. */
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

/** How the socket reaches the hub. */
export interface DeviceConnection {
  /** The device has not said hello yet. */
  readonly isGreeting: boolean
  receive(message: string, now: number): void
  /** This many bytes of a message have arrived, and the rest has not. False if there is no room: the link is closed. */
  arriving(bytes: number): boolean
  /** The device is gone, or `close` has finished. Safe to call twice. */
  ended(): void
  close(code: number, reason: string): void
}
