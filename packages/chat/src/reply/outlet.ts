// The client's end of a request, where a reply goes. Hides the HTTP library.

import type { ClientIds } from '@hearth/protocol'
import { errorBody, type ApiError } from '../errors.ts'
import type { Placement } from './reply.ts'

export interface Outlet {
  /** Names the request in headers and logs. If the client chose it, others may have the same. */
  readonly requestId: string
  /** What the client calls the request, if it said. */
  readonly client: ClientIds | undefined
  /** Kept for any kind of reply: a stream, a whole reply or an error. */
  header(name: string, value: string): void
  /** Replies with a complete JSON body. If you know that it is ASCII, say so. */
  json(status: number, body: string, isAscii?: boolean): void
  /** Begins a stream of server-sent events: the status 200 and the headers are sent with the first write. */
  startStream(): void
  /**
   * False if the client reads slower than we write; `onDrain` reports when it has caught up. If you know that the text is ASCII, say so: a
   * stream's text is joined from many parts, and counting its bytes would join it twice.
   */
  write(text: string, isAscii?: boolean): boolean
  end(text: string, isAscii?: boolean): void
  /** Closes the connection: the client gets nothing more. */
  destroy(): void
  /** Bytes written that the client has not read yet. */
  readonly bufferedBytes: number
  /** Counts these bytes from now on. False if there is no memory for them: then the client has to be disconnected. */
  reserveUnread(): boolean
  onDrain(listener: () => void): void
  /** The client closed the connection before the reply was complete. */
  onGone(listener: () => void): void
}

/** The only place that sends an error as an HTTP response. */
export function sendError(outlet: Outlet, error: ApiError): void {
  for (const [name, value] of Object.entries(error.headers)) outlet.header(name, value)
  outlet.json(error.status, errorBody(error))
}

/**
 * Tells the client how its request got to a device. API keys show no names of devices, so the header has the id: members find it in the
 * console, and others learn nothing from it.
 */
export function addPlacement(outlet: Outlet, { device, waitMs, attempts }: Placement): void {
  outlet.header('x-hearth-queue-ms', String(Math.round(waitMs)))
  if (device !== undefined) outlet.header('x-hearth-device', device)
  outlet.header('x-hearth-attempts', String(attempts))
}
