// A device's connection, without the WebSocket library: that stays in http/.

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
