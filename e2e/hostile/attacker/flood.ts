// Requests at a steady rate, whether or not the gateway has responded to the ones before.

import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { sendRequest, type Sending } from './send-request.ts'
import type { Tally } from './tally.ts'

export interface Flood {
  /** Creates the request with this number. */
  sending: (index: number) => Sending
  times: number
  perSecond: number
}

const EVERY_MS = 10

export async function flood(origin: string, { sending, times, perSecond }: Flood, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const sent: Promise<void>[] = []
  const startedAt = performance.now()
  while (sent.length < times) {
    const due = Math.min(times, Math.ceil(((performance.now() - startedAt) * perSecond) / 1000))
    while (sent.length < due)
      sent.push(sendRequest(origin, { ...sending(sent.length), agent }).then((fate) => tally.count(fate)))
    await setTimeout(EVERY_MS)
  }
  await Promise.all(sent)
  agent.destroy()
}
