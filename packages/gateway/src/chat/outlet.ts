// Where a reply goes: the client's end of a request, without the HTTP library behind it.

export interface Outlet {
  /** Names the request in headers and logs, and its job on the link. */
  readonly requestId: string
  /** Kept for whatever the answer will be, a stream, a whole reply or an error. */
  header(name: string, value: string): void
  /** Answers with a whole JSON body. */
  json(status: number, body: string): void
  /** Begins a stream of server-sent events: 200 and its headers leave with the first write. */
  startStream(): void
  /** False when the client reads slower than we write: `onDrain` tells when it has caught up. */
  write(text: string): boolean
  end(text: string): void
  /** Cuts the connection: the client gets no more. */
  destroy(): void
  /** Bytes written and not yet taken by the client. */
  readonly bufferedBytes: number
  onDrain(listener: () => void): void
  /** The client closed the connection before the reply was complete. */
  onGone(listener: () => void): void
}
