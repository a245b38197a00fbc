// What docs/protocol.md asks of a device, tried with a real gateway: on the page's example, or on a device of your own.

import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { startCuttableLink } from '../harness/connections/cuttable-link.ts'
import { startSystem } from '../harness/start-system.ts'
import { IS_EXAMPLE, missingDevice, MODEL, startAnyDevice } from './start-any-device.ts'

const QUESTION = 'Tell me about the sea.'
/** The example repeats the question, and the reply of a model is its own. */
const REPLY = IS_EXAMPLE ? /^Tell me about the sea\.$/ : /\S/
/** The example writes fifty words per second. */
const LONG = IS_EXAMPLE ? 'word '.repeat(30_000) : 'Write a very long story about the sea.'

/** As the example cuts a long word. With half an emoji too many, there would be one more piece than the limit lets through. */
const PIECE_LENGTH = 4_096
const PIECES = 20

const missing = await missingDevice()

if (missing !== undefined)
  it('the device in docs/protocol.md is listed as left out', () => {
    leaveOut(`the device in docs/protocol.md: ${missing}`)
    expect(missing).toMatch(/\S/)
  })
else
  describe('a device as docs/protocol.md describes it', async () => {
    const system = await startSystem({ devices: 'none' })
    const { client } = system
    const link = await startCuttableLink(system.origin)
    const device = await startAnyDevice(link.origin, await system.enrolmentToken(MODEL))
    afterAll(async () => {
      await device[Symbol.asyncDispose]()
      await link[Symbol.asyncDispose]()
      await system[Symbol.asyncDispose]()
    })

    const saying = (content: string) => ({ model: MODEL, messages: [{ role: 'user', content }] })

    async function answer(content: string, fields: object = {}): Promise<string> {
      const { choices } = expectCompletion(await client.post({ ...saying(content), ...fields }))
      return choices[0]!.message.content
    }

    it('enrols with a token, connects and answers', async () => {
      expect(await answer(QUESTION)).toMatch(REPLY)
    })

    it('streams', async () => {
      const { texts, finishes, done } = await client.stream(saying(QUESTION))
      expect(texts[0]).toMatch(REPLY)
      expect(finishes[0]).toMatch(/^(stop|length)$/)
      expect(done).toBe(true)
    })

    it('ends at the token limit', async () => {
      const completion = expectCompletion(await client.post({ ...saying(QUESTION), max_tokens: 2 }))
      expect(completion.choices[0]!.finish_reason).toBe('length')
    })

    it('is told when the client leaves, and its slot is free again', async () => {
      const leaving = new AbortController()
      const { events } = await client.openStream(saying(LONG), { signal: leaving.signal })
      await events.next()
      leaving.abort()
      if (IS_EXAMPLE) await device.heard('Cancelled: ')
      await system.metricReaches('hearth_leases', 0)
      expect(await system.metric('hearth_suspect_slots')).toBe(0)
      expect(await answer(QUESTION)).toMatch(REPLY)
    })

    it('connects again when its link breaks', async () => {
      link.cut()
      expect(await answer(QUESTION)).toMatch(REPLY)
    })

    if (IS_EXAMPLE) {
      it.each(['', 'x'])(
        'joins the parts of a large request, also where they cut an emoji in two: %j',
        async (before) => {
          const content = before + '😀'.repeat(PIECES * PIECE_LENGTH - before.length)
          expect(await answer(content, { max_tokens: PIECES })).toBe(content)
        },
      )

      it('sends the stop sequence and nothing after it', async () => {
        expect(await answer('one two three four', { stop: ['thr'] })).toBe('one two thr')
      })

      it('rejects a prompt that is too long', async () => {
        expectError(await client.post(saying('word '.repeat(40_000))), {
          status: 400,
          code: 'context_length_exceeded',
          param: 'messages',
        })
      })
    }

    it('ends when it is removed', async () => {
      await system.change(async (store, { home: organization }) => {
        for (const { id } of await store.listDevices(organization))
          await store.removeDevice({ organization, device: id })
      })
      expect(await device.exited).not.toBe(0)
    })
  })
