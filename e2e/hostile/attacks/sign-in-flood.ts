// A stranger asks how to sign in, over and over, whether or not the gateway has responded before: the page is for people who have not signed
// in yet.

import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { sendRequest } from '../attacker/send-request.ts'
import type { Attack } from '../attack.ts'

const TIMES = 4_000
const PER_SECOND = 1_000
const EVERY_MS = 10

export const signInFlood: Attack = {
  name: 'sign-in-flood',
  from: 'outside',
  async run({ origin }, tally) {
    const agent = new Agent({ keepAlive: true })
    const sent: Promise<void>[] = []
    const startedAt = performance.now()
    while (sent.length < TIMES) {
      const due = Math.min(TIMES, Math.ceil(((performance.now() - startedAt) * PER_SECOND) / 1000))
      while (sent.length < due)
        sent.push(
          sendRequest(origin, { method: 'GET', path: '/api/v1/sign-in', agent }).then((fate) => tally.count(fate)),
        )
      await setTimeout(EVERY_MS)
    }
    await Promise.all(sent)
    agent.destroy()
  },
}
