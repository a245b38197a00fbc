// Replies that another device began.

import type { ChatJob } from '@hearth/protocol'
import { expect, it } from 'vitest'
import { cutReply, seenOf } from '../testing/cut-reply.ts'
import { PERSON } from './formats.contract.ts'
import type { Harness } from '../testing/harness.ts'

type Seen = ReturnType<typeof seenOf>

const KINDS: [string, Partial<ChatJob>][] = [
  ['a text', {}],
  ['a text with penalties', { frequencyPenalty: 1, presencePenalty: 0.5 }],
  ['a JSON object', { responseFormat: { type: 'json_object' }, maxTokens: 40 }],
  ['a schema', { responseFormat: { type: 'json_schema', name: 'person', schema: { ...PERSON } }, maxTokens: 200 }],
  ['log probabilities', { logprobs: { top: 2 } }],
  ['three choices', { n: 3 }],
]

export function itResumes({ ask, isSteady }: Harness): void {
  it.each(KINDS)('continues %s where another device was lost', async (_, job) => {
    const whole = await ask({ ...job, recovery: {} })
    for (const share of [0.1, 0.5, 0.9]) {
      const { sent, recovery } = cutReply(whole.events, Math.ceil(whole.events.length * share), job.n ?? 1)
      const rest = await ask({ ...job, recovery })
      const seen = seenOf({ events: [...sent, ...rest.events] })
      if (isSteady) expect(seen).toEqual(seenOf(whole))
      else expectContinued(seen, seenOf({ events: sent }), seenOf(whole))
    }
  })

  it('reports no tokens unless it is asked to', async () => {
    const { events } = await ask()
    expect(events.some((event) => event.type === 'text' && event.ids !== undefined)).toBe(false)
  })

  it('does not continue from tokens that a device made up', async () => {
    const { events } = await ask({ recovery: {} })
    const { recovery } = cutReply(events, 8, 1)
    const [begun] = recovery.choices!
    const { tokens } = begun!
    for (const wrong of [tokens.slice(0, -2), [...tokens, ...tokens], tokens.toReversed(), []]) {
      const asked = ask({ recovery: { choices: [{ ...begun!, tokens: wrong }] } })
      await expect(asked, wrong.join()).rejects.toMatchObject({ code: 'failed', retryable: true })
    }
  })

  it('does not continue a reply whose tokens give another text', async () => {
    const { events } = await ask({ recovery: {} })
    const { recovery } = cutReply(events, 8, 1)
    const [begun] = recovery.choices!
    for (const wrong of [{ length: begun!.length + 1 }, { checksum: begun!.checksum + 1 }, { tokens: [4_294_967_295] }])
      await expect(ask({ recovery: { choices: [{ ...begun!, ...wrong }] } })).rejects.toMatchObject({ code: 'failed' })
    expect((await ask()).finishes).toHaveLength(1)
  })
}

/** A GPU may continue with other words, but the client's part stays the same, and each choice comes to its end. */
function expectContinued(seen: Seen, sent: Seen, whole: Seen): void {
  expect(seen.finishes).toHaveLength(whole.finishes.length)
  expect(seen.usage!.prompt).toBe(whole.usage!.prompt)
  for (const [choice, text] of sent.texts.entries()) expect(seen.texts[choice]!.startsWith(text)).toBe(true)
}
