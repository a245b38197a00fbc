// Sends requests to a device: a large one in parts, one at a time, each after the last one has left: pings and other jobs get their turn, and a request
// is dropped as soon as nobody needs the rest of it, however slowly the device reads.

import { JOB_PART_BYTES, encodeFrame, encodeJobStart, type JobAttempt, type JobStartHead } from '@hearth/protocol'
import type { DeviceSocket } from './link.ts'

export class PartSender {
  readonly #socket: DeviceSocket
  /** By attempt. The only reference to a request, so that dropping it here frees its memory. Most devices never get a large one. */
  #requests: Map<string, string> | undefined

  constructor(socket: DeviceSocket) {
    this.#socket = socket
  }

  start(head: JobStartHead, request: string): void {
    if (request.length <= JOB_PART_BYTES) return this.#socket.send(encodeJobStart(head, { request }))
    this.#socket.send(encodeJobStart(head, { parts: Math.ceil(request.length / JOB_PART_BYTES) }))
    this.#requests ??= new Map()
    this.#requests.set(keyOf(head), request)
    this.#send(head, 0)
  }

  stop(attempt: JobAttempt): void {
    if (this.#requests !== undefined && this.#requests.size > 0) this.#requests.delete(keyOf(attempt))
  }

  stopAll(): void {
    this.#requests = undefined
  }

  #send({ job, attempt }: JobAttempt, index: number): void {
    const request = this.#requests?.get(keyOf({ job, attempt }))
    if (request === undefined) return
    const start = index * JOB_PART_BYTES
    const end = start + JOB_PART_BYTES
    if (end >= request.length) this.#requests?.delete(keyOf({ job, attempt }))
    const text = request.slice(start, end)
    this.#socket.send(encodeFrame({ type: 'job-part', job, attempt, index, text }), () =>
      this.#send({ job, attempt }, index + 1),
    )
  }
}

function keyOf({ job, attempt }: JobAttempt): string {
  return `${job} ${attempt}`
}
