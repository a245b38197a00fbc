// Prompts of 20 MiB for a model that no device serves: every request that may wait keeps its prompt in memory.

import { WaitingRequests } from '../attacker/waiting-requests.ts'
import type { Attack } from '../attack.ts'

const PROMPT_BYTES = 20 * 1024 * 1024 - 1024
const PER_KEY = 16

export const longPrompts: Attack = {
  name: 'long-prompts',
  from: 'outside',
  async run({ origin, keys, model }, tally) {
    const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'x'.repeat(PROMPT_BYTES) }] }))
    const sendings = keys.flatMap((key) =>
      Array.from({ length: PER_KEY }, () => ({ path: '/openai/v1/chat/completions', key, body })),
    )
    const requests = new WaitingRequests(origin, sendings, tally)
    await requests.settle()
    requests.leave()
  },
}
