import { setTimeout } from 'node:timers/promises'
import { numberedText } from '@hearth/gateway/testing'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../harness/client/client.ts'
import { countRequests } from '../harness/count-requests.ts'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { expectError } from '../harness/client/expect-reply.ts'
import { readWholeStream } from '../harness/client/read-stream.ts'
import { FULL, HI, startSystem, type System } from '../harness/start-system.ts'

async function look(system: System, path: string): Promise<Answer> {
  return system.client.call(system.origin + path, { key: null })
}

/** The gateway does not announce that it is shutting down, so this polls /readyz until it does. */
async function untilNotReady(system: System): Promise<unknown> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  while (!deadline.aborted) {
    const { status, json } = await look(system, '/readyz')
    if (status === 503) return json
    await setTimeout(10)
  }
  throw new Error('The gateway still reports that it is ready')
}

describe('a gateway', () => {
  it('finishes running requests after SIGTERM, writes their usage, accepts no new ones, and exits with 0', async () => {
    await using system = await startSystem({
      settings: { READY_GRACE_MS: '0', DRAIN_MS: '60000', USAGE_FLUSH_MS: '3600000' },
    })
    expect(await look(system, '/healthz')).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect(await look(system, '/readyz')).toMatchObject({ status: 200, json: { status: 'ready' } })
    const goOn = Promise.withResolvers<void>()
    system.full.plan = { stall: { at: 3, until: goOn.promise } }
    const { events, headers } = await system.client.openStream({ model: FULL, messages: HI })
    const whole = system.chat({})
    await system.full.until('both run', () => system.full.jobs.length === 2)
    system.gateway.signal('SIGTERM')
    expect(await untilNotReady(system)).toMatchObject({ reasons: [expect.stringContaining('shutting down') as string] })
    const refused = await system.chat({})
    expectError(refused, { status: 503, code: 'service_unavailable' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await look(system, '/healthz')).status).toBe(200)
    goOn.resolve()
    const { texts, done } = await readWholeStream(events)
    expect({ texts, done }).toStrictEqual({ texts: [numberedText(8)], done: true })
    expect((await whole).status).toBe(200)
    expect(await system.gateway.exited).toBe(0)
    expect(system.full.restartsInMs).toBeTypeOf('number')
    expectLogLine(system.gateway.output(), headers.get('x-request-id')!)
    // The two that ran, and the one that was rejected.
    expect(await countRequests(system)).toBe(3)
  })

  it('keeps serving for the grace time while it already says that it is not ready, closes each connection after its reply, and stops immediately on a second signal', async () => {
    await using system = await startSystem({ settings: { READY_GRACE_MS: '600000', DRAIN_MS: '600000' } })
    system.gateway.signal('SIGTERM')
    expect(await untilNotReady(system)).toMatchObject({ reasons: [expect.stringContaining('shutting down') as string] })
    const served = await system.chat({})
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
    const late = await system.connectDevice({ models: [{ name: 'late', slots: 1, features: [] }] })
    expect((await late.welcome).protocol).toBeGreaterThan(0)
    expect((await look(system, '/readyz')).status).toBe(503)
    system.full.plan = { stall: { at: 3, until: new Promise(() => {}) } }
    const { events } = await system.client.openStream({ model: FULL, messages: HI })
    await events.next()
    system.gateway.signal('SIGTERM')
    expect(await system.gateway.exited).toBe(1)
    await expect(readWholeStream(events)).rejects.toThrow()
  })
})

function expectLogLine(output: string, requestId: string): void {
  const lines = output.split('\n').filter((line) => line.includes(requestId))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: 'job',
    request: requestId,
    model: FULL,
    outcome: 'ended',
    completionTokens: 8,
  })
}
