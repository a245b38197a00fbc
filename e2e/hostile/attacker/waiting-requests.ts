// Requests that are sent at once. Some are answered, the others wait for a device.

import type { ClientRequest } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { startRequest, type Sending } from './send-request.ts'
import type { Tally } from './tally.ts'

const LOOK_AGAIN_MS = 50

export class WaitingRequests {
  readonly #requests: ClientRequest[]
  readonly #origin: string
  readonly #tally: Tally
  #answered = 0

  constructor(origin: string, sendings: readonly Sending[], tally: Tally) {
    this.#origin = origin
    this.#tally = tally
    this.#requests = sendings.map((sending) => this.#start(sending))
  }

  /** Resolves when every request has been answered or waits, and counts both. `running` of them are on a device. */
  async settle(running = 0): Promise<void> {
    const rest = () => this.#requests.length - this.#answered - running
    while (rest() > (await queuedJobs(this.#origin))) await setTimeout(LOOK_AGAIN_MS)
    this.#tally.count('waiting', rest())
  }

  leave(): void {
    for (const request of this.#requests)
      request
        .removeAllListeners('error')
        .on('error', () => {})
        .destroy()
  }

  #start(sending: Sending): ClientRequest {
    // Once: a connection may break after the reply too.
    let isAnswered = false
    const answered = (fate: number | 'dropped') => {
      if (isAnswered) return
      isAnswered = true
      this.#answered += 1
      this.#tally.count(fate)
    }
    const sent = startRequest(this.#origin, sending, (response) => answered(response.resume().statusCode ?? 0))
    return sent.on('error', () => answered('dropped'))
  }
}

async function queuedJobs(origin: string): Promise<number> {
  const response = await fetch(new URL('/metrics', origin))
  const [, jobs = 'NaN'] = /^hearth_queued_jobs (\d+)$/m.exec(await response.text()) ?? []
  return Number(jobs)
}
