// The second server of the stand-in hub: it has the files' bytes, and serves ranges of them.

import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export class StandInFiles {
  url = ''
  /** The Range header of each download, '' if there was none. */
  readonly ranges: string[] = []
  readonly #signed = new Map<string, Buffer>()
  #held: { afterBytes: number; reached: () => void; released: Promise<void>; release: () => void } | undefined

  /** The address to download these bytes from. */
  sign(bytes: Buffer): string {
    const path = `/${sha256(bytes)}`
    this.#signed.set(path, bytes)
    return `${this.url}${path}?signature=${randomUUID()}`
  }

  /** Downloads stop after this many bytes until `release`. Resolves when the first one has come that far. */
  hold(afterBytes: number): Promise<void> {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#held = { afterBytes, reached: reached.resolve, released: released.promise, release: released.resolve }
    return reached.promise
  }

  release(): void {
    this.#held?.release()
    this.#held = undefined
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    // Storage behind signed addresses refuses other credentials, so a client that passes its token on fails here too.
    if (request.headers.authorization !== undefined) return void response.writeHead(400).end()
    const bytes = this.#signed.get(new URL(request.url ?? '/', this.url).pathname)
    if (bytes === undefined) return void response.writeHead(403).end()
    this.ranges.push(request.headers.range ?? '')
    const body = beginRange(request, response, { bytes, etag: `"${sha256(bytes)}"` })
    if (body !== undefined) void this.#send(body, response)
  }

  async #send(body: Buffer, response: ServerResponse): Promise<void> {
    const held = this.#held
    if (held === undefined) return void response.end(body)
    response.write(body.subarray(0, held.afterBytes), held.reached)
    await held.released
    return void response.end(body.subarray(held.afterBytes))
  }
}

interface RangedFile {
  bytes: Buffer
  etag: string
  /** Sends the whole file, whatever is asked for. */
  ignoresRanges?: boolean
}

/** Answers with headers, and returns the bytes that belong after them, if any do. */
export function beginRange(request: IncomingMessage, response: ServerResponse, file: RangedFile): Buffer | undefined {
  const { bytes, etag, ignoresRanges = false } = file
  const { range = '', 'if-range': ifRange = etag } = request.headers
  const start = range !== '' && ifRange === etag && !ignoresRanges ? Number(/\d+/.exec(range)?.[0]) : 0
  if (start >= bytes.length) return void response.writeHead(416).end()
  response.writeHead(start > 0 ? 206 : 200, {
    etag,
    'accept-ranges': 'bytes',
    'content-length': bytes.length - start,
    ...(start > 0 && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  })
  return bytes.subarray(start)
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
