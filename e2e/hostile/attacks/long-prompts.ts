// Prompts of 20 MiB for a model that no device serves: every request that may wait keeps its prompt in memory.

import { setTimeout } from 'node:timers/promises'
import { startRequest } from '../attacker/send-request.ts'
import { queuedJobs } from '../attacker/queued-jobs.ts'
import { Tally } from '../attacker/tally.ts'
import type { Attack } from '../attack.ts'

const PROMPT_BYTES = 20 * 1024 * 1024 - 1024
const TIMES = 80
const LOOK_AGAIN_MS = 50

export const longPrompts: Attack = {
  name: 'long-prompts',
  from: 'outside',
  async run({ origin, keys, model }) {
    const tally = new Tally()
    const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'x'.repeat(PROMPT_BYTES) }] }))
    const waiting = keys
      .flatMap((key) => Array.from({ length: Math.ceil(TIMES / keys.length) }, () => key))
      .map((key) => {
        const sending = { path: '/openai/v1/chat/completions', key, body }
        return startRequest(origin, sending, (response) => {
          tally.count(response.statusCode ?? 0)
          response.resume()
        }).once('error', () => tally.count('dropped'))
      })
    // Now every request has been rejected or waits.
    while (tally.total + (await queuedJobs(origin)) < waiting.length) await setTimeout(LOOK_AGAIN_MS)
    tally.count('waiting', waiting.length - tally.total)
    for (const request of waiting) request.destroy()
    return tally.report()
  },
}
