// Prompts of 19 MB, one after the other, for a model with a small context: each is rejected in the end, and until then it must hold up nobody
// else's stream on the device that reads it.

import { sendRequest } from '../attacker/send-request.ts'
import type { Attack } from '../attack.ts'

const BYTES = 19_000_000
const TIMES = 2
const ASKED = { role: 'user', content: 'Go on.' }

/** Letters and words can't fit. Nobody knows that of line breaks and of earlier replies until a template has written them. */
const CONVERSATIONS = [
  [{ role: 'user', content: 'x'.repeat(BYTES) }],
  [{ role: 'user', content: 'no end of words '.repeat(BYTES / 16) }],
  [{ role: 'user', content: '\n'.repeat(BYTES / 2) }],
  [{ role: 'assistant', content: 'x'.repeat(BYTES) }, ASKED],
]

export const oversizedPrompts: Attack = {
  name: 'oversized-prompts',
  from: 'outside',
  async run({ origin, keys, model }, tally) {
    for (let time = 0; time < TIMES; time++)
      for (const messages of CONVERSATIONS)
        tally.count(
          await sendRequest(origin, {
            path: '/openai/v1/chat/completions',
            key: keys[0]!,
            body: JSON.stringify({ model, messages }),
          }),
        )
  },
}
