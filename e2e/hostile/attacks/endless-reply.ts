// A device answers one whole reply with tool calls, a megabyte per frame, without ever ending it.

import type { JobAttempt } from '@hearth/protocol'
import { HostileLink } from '../attacker/hostile-link.ts'
import { sendRequest } from '../attacker/send-request.ts'
import type { Tally } from '../attacker/tally.ts'
import type { Attack } from '../attack.ts'

const FRAME_BYTES = 1_000_000
/** Far more than any gateway may hold, but the attack ends even if nobody stops it. */
const MOST_FRAMES = 2_000

export const endlessCalls: Attack = {
  name: 'endless-calls',
  from: 'outside',
  async run({ origin, keys: [key = ''], credentials: [credential = ''], model }, tally) {
    const stopped = new AbortController()
    const link = await HostileLink.open({
      origin,
      credential,
      models: [{ name: model }],
      onFrame: (frame, own) => {
        if (frame.type === 'job-cancel') stopped.abort()
        if (frame.type === 'job-start') void pour(own, frame, stopped.signal, tally)
      },
    })
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] })
    // Without its device, the request would wait for another one.
    const disconnected = link.closed.then((code) => `disconnected ${code}`)
    const asked = sendRequest(origin, { path: '/openai/v1/chat/completions', key, body })
    tally.count(await Promise.race([asked, disconnected]))
    link.close()
  },
}

async function pour(link: HostileLink, { job, attempt }: JobAttempt, stopped: AbortSignal, tally: Tally) {
  await link.send({ type: 'job-accept', job, attempt })
  for (let sequence = 0; sequence < MOST_FRAMES && link.isOpen && !stopped.aborted; sequence++) {
    const calls = [{ id: `call_${sequence}`, name: 'f', arguments: 'x'.repeat(FRAME_BYTES) }]
    await link.send({ type: 'job-calls', job, attempt, sequence, choice: 0, calls })
    tally.count('frames')
  }
  if (stopped.aborted) await link.send({ type: 'job-cancelled', job, attempt })
  else link.close()
}
