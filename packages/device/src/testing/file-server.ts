// A web server for one file, with range requests, that can misbehave on demand.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface FileServer {
  url: string
  /** The Range header of each request, '' if there was none. */
  ranges: string[]
  headers: IncomingMessage['headers'][]
  /** Faults for the next requests, one each. */
  faults: Fault[]
  content: Buffer
  etag: string
  ignoresRanges: boolean
}

export type Fault =
  /** Sends this many bytes of the body, then cuts the connection once `until` settles; cutting it earlier would lose bytes in transit. */
  | { cutAfter: number; until: Promise<void> }
  /** Sends this many bytes, then nothing, and keeps the connection open. */
  | { stallAfter: number }
  | { status: number }
  | { body: string; type: string }

export async function startFileServer(content: Buffer): Promise<FileServer> {
  const server = createServer((request, response) => answer(files, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const files: FileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.gguf`,
    ranges: [],
    headers: [],
    faults: [],
    content,
    etag: '"first"',
    ignoresRanges: false,
  }
  return files
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function answer(files: FileServer, request: IncomingMessage, response: ServerResponse): void {
  const { range = '', 'if-range': ifRange } = request.headers
  files.ranges.push(range)
  files.headers.push(request.headers)
  const fault = files.faults.shift()
  if (fault !== undefined && 'status' in fault) return void response.writeHead(fault.status).end()
  if (fault !== undefined && 'body' in fault)
    return void response.writeHead(200, { 'content-type': fault.type }).end(fault.body)
  const isSame = ifRange === undefined || ifRange === files.etag
  const start = range !== '' && isSame && !files.ignoresRanges ? Number(/\d+/.exec(range)?.[0]) : 0
  const body = files.content.subarray(start)
  const total = files.content.length
  if (start >= total) return void response.writeHead(416).end()
  response.writeHead(start > 0 ? 206 : 200, {
    etag: files.etag,
    'content-length': body.length,
    ...(start > 0 ? { 'content-range': `bytes ${start}-${total - 1}/${total}` } : {}),
  })
  if (fault === undefined) return void response.end(body)
  if ('stallAfter' in fault) return void response.write(body.subarray(0, fault.stallAfter))
  response.write(body.subarray(0, fault.cutAfter))
  return void fault.until.then(() => response.destroy())
}
