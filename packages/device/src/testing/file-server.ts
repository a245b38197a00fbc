// A web server for one file, with range requests, that can misbehave on demand.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { beginRange } from './stand-ins/hub-files.ts'

type Fault =
  /** Sends this many bytes of the body, then cuts the connection once `until` settles; cutting it earlier would lose bytes in transit. */
  | { cutAfter: number; until: Promise<void> }
  /** Sends this many bytes, then nothing, and keeps the connection open. */
  | { stallAfter: number }
  | { status: number }

export async function startFileServer(content: Buffer): Promise<FileServer> {
  const files = new FileServer(content)
  files.url = `${await serveHere(createServer((request, response) => files.answer(request, response)))}/model.gguf`
  return files
}

export class FileServer {
  url = ''
  /** The Range header of each request, '' if there was none. */
  readonly ranges: string[] = []
  readonly headers: IncomingMessage['headers'][] = []
  /** Faults for the next requests, one each. */
  readonly faults: Fault[] = []
  content: Buffer
  etag = '"first"'
  ignoresRanges = false

  constructor(content: Buffer) {
    this.content = content
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.ranges.push(request.headers.range ?? '')
    this.headers.push(request.headers)
    const fault = this.faults.shift()
    if (fault !== undefined && 'status' in fault) return void response.writeHead(fault.status).end()
    const { content: bytes, etag, ignoresRanges } = this
    const body = beginRange(request, response, { bytes, etag, ignoresRanges })
    if (body === undefined) return
    if (fault === undefined) return void response.end(body)
    if ('stallAfter' in fault) return void response.write(body.subarray(0, fault.stallAfter))
    response.write(body.subarray(0, fault.cutAfter))
    return void fault.until.then(() => response.destroy())
  }
}

/** Sends this, and then zeros without an end or a length. */
export async function startEndless(start: Buffer): Promise<{ url: string }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { etag: '"endless"' }).write(start)
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(256 * 1024)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  return { url: await serveHere(server) }
}
