// A device answers one whole reply without ever ending it: tool calls, logprobs or annotations, a megabyte per frame.

import type { DeviceFrame, JobAttempt, TokenLogprob } from '@hearth/protocol'
import { HostileLink } from '../attacker/hostile-link.ts'
import { sendRequest } from '../attacker/send-request.ts'
import type { Tally } from '../attacker/tally.ts'
import type { Attack, Target } from '../attack.ts'

const FRAME_BYTES = 1_000_000
/** Far more than any gateway may hold, but the attack ends even if nobody stops it. */
const MOST_FRAMES = 2_000

type Event = (at: JobAttempt & { sequence: number; choice: number }) => DeviceFrame

export const endlessCalls = endlessReply('endless-calls', (at) => ({
  type: 'job-calls',
  ...at,
  calls: [{ id: `call_${at.sequence}`, name: 'f', arguments: 'x'.repeat(FRAME_BYTES) }],
}))

const BYTES = Array.from({ length: 64 }, (_, index) => index % 10)
const TOP = Array.from({ length: 20 }, () => ({ token: 't', logprob: -1, bytes: BYTES }))
const LOGPROBS: TokenLogprob[] = Array.from({ length: 250 }, () => ({
  token: 't',
  logprob: -1,
  bytes: BYTES,
  top: TOP,
}))

export const endlessLogprobs = endlessReply('endless-logprobs', (at) => ({
  type: 'job-delta',
  ...at,
  text: 'x',
  logprobs: LOGPROBS,
}))

const CITATIONS = Array.from({ length: 60 }, () => ({
  url: 'u'.repeat(8_000),
  title: 't'.repeat(8_000),
  start: 0,
  end: 1,
}))

export const endlessAnnotations = endlessReply('endless-annotations', (at) => ({
  type: 'job-annotations',
  ...at,
  annotations: CITATIONS,
}))

function endlessReply(name: string, event: Event): Attack {
  return { name, from: 'outside', run: (target, tally) => answerForever(target, tally, event) }
}

async function answerForever({ origin, keys, credentials, model }: Target, tally: Tally, event: Event): Promise<void> {
  const stopped = new AbortController()
  const link = await HostileLink.open({
    origin,
    credential: credentials[0]!,
    models: [{ name: model, features: ['logprobs', 'tools', 'web_search'] }],
    onFrame: (frame, own) => {
      if (frame.type === 'job-cancel') stopped.abort()
      if (frame.type === 'job-start') void pour(own, frame, event, stopped.signal, tally)
    },
  })
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], logprobs: true, top_logprobs: 20 })
  const sending = { path: '/openai/v1/chat/completions', key: keys[0]!, body }
  // Without its device, the request would wait for another one.
  const disconnected = link.closed.then((code) => `disconnected ${code}`)
  tally.count(await Promise.race([sendRequest(origin, sending), disconnected]))
  link.close()
}

async function pour(link: HostileLink, offer: JobAttempt, event: Event, stopped: AbortSignal, tally: Tally) {
  const at = { job: offer.job, attempt: offer.attempt }
  await link.send({ type: 'job-accept', ...at })
  for (let sequence = 0; sequence < MOST_FRAMES && link.isOpen && !stopped.aborted; sequence++) {
    await link.send(event({ ...at, sequence, choice: 0 }))
    tally.count('frames')
  }
  if (stopped.aborted) await link.send({ type: 'job-cancelled', ...at })
  else link.close()
}
