// Input that no honest device sends, over real sockets. Each case must end that device's link and nothing else.

import { numberedText } from '@hearth/gateway/testing'
import { CLOSE } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { exchange, parseReply, requestHead } from '../harness/client/raw-http.ts'
import { readWholeStream } from '../harness/client/read-stream.ts'
import { FULL, HI, LONELY, PAIR } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

const { client, origin } = system

describe('devices', () => {
  it.each([
    ['an upgrade to nowhere', '/openai/v1/models', {}],
    ['an upgrade without a credential', '/device/v1/link', {}],
    ["an upgrade with a client's key", '/device/v1/link', { authorization: `Bearer ${client.key}` }],
    ['an upgrade by a browser', '/device/v1/link', { origin: 'https://page.test' }],
  ])('%s', async (_, path, headers) => {
    const upgrade: [string, string][] = [
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
    ]
    const reply = parseReply(await exchange(origin, requestHead('GET', path, [...upgrade, ...Object.entries(headers)])))
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(JSON.parse(reply.body)).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it.each([
    ['text that is no JSON', 'hello there', CLOSE.malformedFrame],
    ['a frame without its fields', '{"type":"job-delta","job":"x"}', CLOSE.malformedFrame],
    ['a million brackets', '['.repeat(1_000_000), CLOSE.malformedFrame],
    ['bytes', new Uint8Array([1, 2, 3]), CLOSE.malformedFrame],
    ['a message over 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, 1009],
  ])('are disconnected for %s', async (_, message, code) => {
    await using device = await system.connectDevice({ models: [LONELY] })
    device.sendRaw(message)
    expect(await device.closed).toMatchObject({ code })
  })

  it('cannot affect a job of another organization or another device', async () => {
    const goOn = Promise.withResolvers<void>()
    await using mine = await system.connectDevice({ models: [PAIR], plan: { stall: { at: 4, until: goOn.promise } } })
    await using foreign = await system.connectDevice({ organization: 'other', models: [PAIR, FULL] })
    await using neighbour = await system.connectDevice({ models: [LONELY] })
    const { events } = await client.openStream({ model: PAIR, messages: HI })
    await events.next()
    const { id: job, attempt } = mine.jobs[0]!
    for (const intruder of [foreign, neighbour])
      for (const sequence of [0, 4, 5])
        intruder.send(
          { type: 'job-delta', job, attempt, sequence, choice: 0, text: 'STOLEN' },
          { type: 'job-error', job, attempt, code: 'failed', message: 'STOLEN', retryable: false, crashed: true },
          { type: 'job-cancelled', job, attempt },
          { type: 'job-refuse', job, attempt, reason: 'busy' },
          { type: 'job-end', job, attempt, sequence, finishes: ['stop'] },
        )
    expectCompletion(await client.post({ model: LONELY, messages: HI }))
    goOn.resolve()
    const { texts, done } = await readWholeStream(events)
    expect({ texts, done }).toStrictEqual({ texts: [numberedText(8)], done: true })
    expect(foreign.jobs).toHaveLength(0)
  })

  it('that ignore a cancel do not hold up others', async () => {
    const never = new Promise(() => {})
    await using deaf = await system.connectDevice({
      models: [{ name: LONELY, slots: 1 }],
      plan: { stall: { at: 1, until: never }, ignoresCancel: true },
    })
    const leaving = new AbortController()
    const gone = client.post({ model: LONELY, messages: HI }, { signal: leaving.signal })
    const job = await deaf.job(0)
    await deaf.until('the device stalls', () => job.sent === 1)
    leaving.abort()
    await expect(gone).rejects.toThrow(/abort/i)
    await deaf.until('a cancel came', () => job.cancels.length > 0)
    await using spare = await system.connectDevice({ models: [LONELY] })
    expectCompletion(await client.post({ model: LONELY, messages: HI }))
    expect(spare.jobs).toHaveLength(1)
  })
})
