// A reply over node:http.

import type { ServerResponse } from 'node:http'
import type { Outlet } from '../chat/outlet.ts'

const EXPOSED = 'x-request-id, x-service-ignored-params, retry-after'
const CORS = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED]

export class NodeOutlet implements Outlet {
  readonly requestId: string
  readonly #response: ServerResponse
  /** Name, value, name, value: the form that node:http writes without checking again. */
  readonly #headers: string[]
  #isOver = false

  /** With `isForAnySite`, pages of every site may read the response. */
  constructor(response: ServerResponse, requestId: string, isForAnySite = true) {
    this.requestId = requestId
    this.#response = response
    this.#headers = ['x-request-id', requestId]
    if (isForAnySite) this.#headers.push(...CORS)
  }

  /** 0 until the status is decided. */
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0
  }

  header(name: string, value: string): void {
    this.#headers.push(name, value)
  }

  json(status: number, body: string): void {
    this.whole(status, 'application/json', body)
  }

  whole(status: number, contentType: string, body: string | Uint8Array): void {
    this.#isOver = true
    this.#headers.push('content-type', contentType, 'content-length', String(Buffer.byteLength(body)))
    this.#response.writeHead(status, this.#headers).end(body)
  }

  empty(status: number): void {
    this.#isOver = true
    this.#response.writeHead(status, this.#headers).end()
  }

  startStream(): void {
    this.#headers.push(
      'content-type',
      'text/event-stream; charset=utf-8',
      'cache-control',
      'no-cache, no-transform',
      'x-accel-buffering',
      'no',
    )
    this.#response.writeHead(200, this.#headers)
  }

  write(text: string): boolean {
    return this.#response.write(text)
  }

  end(text: string): void {
    this.#isOver = true
    this.#response.end(text)
  }

  destroy(): void {
    this.#isOver = true
    this.#response.destroy()
  }

  get bufferedBytes(): number {
    return this.#response.writableLength
  }

  onDrain(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  onGone(listener: () => void): void {
    this.#response.once('close', () => {
      if (!this.#isOver) listener()
    })
  }
}
