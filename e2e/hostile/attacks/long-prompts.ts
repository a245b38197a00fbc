// Prompts of 20 MiB for a model that no device serves: every request that may wait keeps its prompt in memory.

import { setTimeout } from 'node:timers/promises'
import { startRequest } from '../attacker/send-request.ts'
import type { Attack } from '../attack.ts'

const PROMPT_BYTES = 20 * 1024 * 1024 - 1024
const PER_KEY = 16
const LOOK_AGAIN_MS = 50

export const longPrompts: Attack = {
  name: 'long-prompts',
  from: 'outside',
  async run({ origin, keys, model }, tally) {
    const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'x'.repeat(PROMPT_BYTES) }] }))
    const all = keys.flatMap((key) => Array.from({ length: PER_KEY }, () => key))
    const answered = new Set<number>()
    const requests = all.map((key, index) => {
      // Once: a connection may break after the reply too.
      const note = (fate: number | 'dropped') => {
        if (!answered.has(index)) tally.count(fate)
        answered.add(index)
      }
      const sending = { path: '/openai/v1/chat/completions', key, body }
      const sent = startRequest(origin, sending, (response) => note(response.resume().statusCode ?? 0))
      return sent.on('error', () => note('dropped'))
    })
    // Until every request has been answered or waits.
    while (all.length - answered.size > (await queuedJobs(origin))) await setTimeout(LOOK_AGAIN_MS)
    tally.count('waiting', all.length - answered.size)
    for (const request of requests)
      request
        .removeAllListeners('error')
        .on('error', () => {})
        .destroy()
  },
}

async function queuedJobs(origin: string): Promise<number> {
  const response = await fetch(new URL('/metrics', origin))
  const [, jobs = 'NaN'] = /^hearth_queued_jobs (\d+)$/m.exec(await response.text()) ?? []
  return Number(jobs)
}
