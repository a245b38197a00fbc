// What the hub needs of a connection. The WebSocket library stays behind it, in http/.

export interface DeviceSocket {
  /** `whenSent` is called once the text has left this process. */
  send(text: string, whenSent?: () => void): void
  /** Says farewell, and cuts the connection a few seconds later if the other end does not answer. */
  close(code: number, reason: string): void
  /** Bytes handed over and not yet sent. */
  readonly bufferedBytes: number
}
