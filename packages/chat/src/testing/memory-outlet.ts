// The client's end of a reply, in memory: keeps the response, and can read slowly or disconnect.

import type { Outlet } from '../reply/outlet.ts'

export class MemoryOutlet implements Outlet {
  readonly requestId = 'req_test'
  readonly client = undefined
  readonly headers: Record<string, string> = {}
  status = 0
  body = ''
  writes = 0
  isOver = false
  isDestroyed = false
  /** The result of `write`; false simulates a client that does not read. */
  readsFast = true
  bufferedBytes = 0
  /** The result of `holdUnread`. */
  hasRoom = true
  #drain: (() => void) | undefined

  header(name: string, value: string): void {
    this.headers[name] = value
  }

  json(status: number, body: string, isAscii = false): void {
    checkAscii(body, isAscii)
    this.status = status
    this.body = body
    this.isOver = true
  }

  startStream(): void {
    this.status = 200
  }

  write(text: string, isAscii = false): boolean {
    checkAscii(text, isAscii)
    this.writes += 1
    this.body += text
    return this.readsFast
  }

  end(text: string, isAscii = false): void {
    checkAscii(text, isAscii)
    this.body += text
    this.isOver = true
  }

  destroy(): void {
    this.isDestroyed = true
  }

  reserveUnread(): boolean {
    return this.hasRoom
  }

  onDrain(listener: () => void): void {
    this.#drain = listener
  }

  onGone(): void {}

  drain(): void {
    this.#drain?.()
  }

  /** The payloads of a stream, in order. */
  get events(): string[] {
    return this.body
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => event.replace(/^data: /, ''))
  }
}

/** A real client would get broken characters. */
function checkAscii(text: string, isAscii: boolean): void {
  if (isAscii && Buffer.byteLength(text) !== text.length) throw new Error(`This text is not ASCII: ${text}`)
}
