import { describe, expect, it } from 'vitest'
import { CLOSE, type ModelRequestFrame } from '@hearth/protocol'
import { createFakeGateway, HELLO, IDLE_USER } from '../testing/fake-gateway.ts'
import { createManualClock, settle } from '../testing/manual-clock.ts'
import type { LinkEnd } from './backoff.ts'
import { runLink, type DefaultsFrame, type JobFrame, type LinkUser, type OpenLink } from './run-link.ts'

async function begin(options: { greet?: boolean } = {}) {
  const gateway = createFakeGateway()
  const clock = createManualClock()
  const leaving = new AbortController()
  const seen = {
    frames: [] as JobFrame[],
    requests: [] as ModelRequestFrame[],
    notices: [] as string[],
    defaults: [] as DefaultsFrame[],
    gone: 0,
    busy: false,
    end: undefined as LinkEnd | undefined,
  }
  let link: OpenLink | undefined
  const user: LinkUser = {
    ...IDLE_USER,
    onOpen: (open) => (link = open),
    onFrame: (frame) => seen.frames.push(frame),
    onModelRequest: (frame) => seen.requests.push(frame),
    onNotice: (text) => seen.notices.push(text),
    onDefaults: (frame) => seen.defaults.push(frame),
    onGone: () => (seen.gone += 1),
    isBusy: () => seen.busy,
  }
  const request = { gateway: new URL('https://hearth.example.com'), credential: 'secret' }
  const ended = runLink({ dial: gateway.dial, clock }, request, user, leaving.signal).then((end) => (seen.end = end))
  await settle()
  if (options.greet !== false) await gateway.last.welcome()
  return { gateway, clock, leaving, seen, ended, link: () => link!, remote: gateway.last }
}

describe('runLink', () => {
  it('[E60] passes on nothing before the welcome, and everything that it knows after it', async () => {
    const { remote, seen, link } = await begin({ greet: false })
    const defaults: DefaultsFrame = { type: 'defaults', model: 'm', defaults: { temperature: 0.2 } }
    const request = { type: 'model-fetch', request: 'r', by: 'Ada', source: 'qwen3:8b' } as const
    const job = { type: 'job-pause', job: 'j', attempt: 1 } as const
    await remote.say(defaults, request, job)
    expect([link(), seen.defaults, seen.requests, seen.frames]).toEqual([undefined, [], [], []])
    await remote.welcome()
    await remote.sayText(JSON.stringify([{ type: 'sing' }, defaults, request, job]))
    await remote.say({ type: 'notice', text: 'update soon' }, { type: 'ping' })
    expect([seen.defaults, seen.requests, seen.frames]).toEqual([[defaults], [request], [job]])
    expect(seen.notices).toEqual(['update soon'])
    expect(remote.frames).toEqual([HELLO, { type: 'pong' }])
  })

  it('says at its end whether jobs ran, and whether the gateway had a reason to end it', async () => {
    const idle = await begin()
    await idle.remote.close(CLOSE.goingAway)
    expect(idle.seen.end).toMatchObject({ kind: 'lost', wasBusy: false, isRejected: false })
    const busy = await begin()
    busy.seen.busy = true
    await busy.remote.close(CLOSE.overloaded)
    expect(busy.seen.end).toMatchObject({ kind: 'lost', wasBusy: true, isRejected: true })
  })

  it('ends if no welcome comes within ten seconds', async () => {
    const { clock, seen, remote } = await begin({ greet: false })
    await clock.advance(10_000)
    expect(seen.end).toBeUndefined()
    await clock.advance(1_000)
    expect(seen.end).toMatchObject({ kind: 'lost', linkedMs: 0 })
    expect(remote.closed).toEqual([CLOSE.greetingTimeout])
    expect(seen.gone).toBe(0)
  })

  it('ends after three silent ping intervals, and any frame counts as a sign of life', async () => {
    const { clock, seen, remote } = await begin()
    await clock.advance(40_000)
    await remote.say({ type: 'ping' })
    await clock.advance(45_000)
    expect(seen.end).toBeUndefined()
    await clock.advance(1_000)
    expect(seen.end).toMatchObject({ kind: 'lost', why: expect.stringContaining('silent') })
    expect(seen.gone).toBe(1)
  })

  it('uses the shorter ping interval while a job runs', async () => {
    const { clock, seen } = await begin()
    seen.busy = true
    await clock.advance(16_000)
    expect(seen.end).toMatchObject({ kind: 'lost' })
  })

  it('closes the link on a malformed frame', async () => {
    const { remote, seen } = await begin()
    await remote.sayText('{"type":"job-pause","job":7}')
    expect(remote.closed).toEqual([CLOSE.malformedFrame])
    expect(seen.end).toMatchObject({ kind: 'lost' })
  })

  it.each([
    [CLOSE.revoked, 'credential-rejected'],
    [CLOSE.superseded, 'superseded'],
    [CLOSE.inUse, 'in-use'],
    [CLOSE.noCommonVersion, 'app-too-old'],
    [CLOSE.goingAway, 'lost'],
  ])('reads close code %i as %s', async (code, kind) => {
    const { remote, ended } = await begin()
    await remote.close(code)
    expect(await ended).toMatchObject({ kind })
  })

  it('stays until a restarting gateway closes the link', async () => {
    const { remote, seen, ended } = await begin()
    await remote.say({ type: 'restarting', reconnectInMs: 2_500 })
    expect(seen.end).toBeUndefined()
    await remote.close(CLOSE.goingAway)
    expect(await ended).toEqual({ kind: 'restarting', reconnectInMs: 2_500 })
  })

  it('closes cleanly when it is told to leave', async () => {
    const { leaving, remote, ended } = await begin()
    leaving.abort()
    await ended
    expect(remote.closed).toEqual([CLOSE.normal])
  })

  it.each([
    [{ kind: 'rejected', status: 401 } as const, { kind: 'credential-rejected' }],
    [{ kind: 'rejected', status: 426 } as const, { kind: 'app-too-old' }],
    [{ kind: 'rejected', status: 503, retryAfterMs: 7_000 } as const, { kind: 'lost', retryAfterMs: 7_000 }],
    [
      { kind: 'rejected', status: 429, retryAfterMs: 2_000 } as const,
      { kind: 'lost', why: 'the gateway asks this device to connect less often', retryAfterMs: 2_000 },
    ],
    [{ kind: 'failed', why: 'ECONNREFUSED' } as const, { kind: 'lost', why: 'ECONNREFUSED' }],
  ])('reports a dial that ended as %o', async (answer, end) => {
    const gateway = createFakeGateway()
    gateway.answers.push(answer)
    const request = { gateway: new URL('https://hearth.example.com'), credential: 'secret' }
    const world = { dial: gateway.dial, clock: createManualClock() }
    expect(await runLink(world, request, IDLE_USER, new AbortController().signal)).toMatchObject(end)
  })
})
