import { describe, expect, it } from 'vitest'
import type { ChatEvent, ChatJob, DeviceFrame, SealedRequest } from '@hearth/protocol'
import { newAgreementKey, type SealedHeader } from '@hearth/sealing'
import { EngineError, type EngineJob } from '../../engines/engine.ts'
import { ECHO_MODEL } from '../../testing/echo-engine.ts'
import { settle } from '../../testing/manual-clock.ts'
import { at, beginRunner, jobError, type BenchOptions } from '../../testing/runner-bench.ts'
import { begunOf, SealedClient } from '../../testing/sealed-client.ts'

const CANARY = 'canary-7f3a'
const MODEL = { ...ECHO_MODEL, features: [...ECHO_MODEL.features, 'tools', 'json_schema', 'resume'] as const }
const JOB: ChatJob = { model: 'echo', messages: [{ role: 'user', content: CANARY }] }
const USAGE = { promptTokens: 7, completionTokens: 3 }
const token = { token: CANARY, logprob: -1, bytes: [99], top: [] }
/** A client that opens nothing. */
const nobody = new SealedClient([], () => 0)
/** An engine that stops in the middle. */
const LOST = new EngineError('failed', 'lost', { retryable: true })
const calls = [{ id: 'c', name: 'f', arguments: `{"city":"${CANARY}"}` }]

/** Every job gets these events, and `jobs` are the jobs as the engine gets them. */
function begin(events: (ChatEvent | Error)[], options: BenchOptions = {}) {
  const jobs: EngineJob[] = []
  async function* run(job: EngineJob): AsyncGenerator<ChatEvent> {
    jobs.push(job)
    for (const event of events) {
      await settle()
      if (event instanceof Error) throw event
      yield event
    }
  }
  const models = [{ ...MODEL, features: [...MODEL.features] }]
  return { jobs, ...beginRunner({ run, models, isSealed: true, ...options }) }
}

async function sealed(events: ChatEvent[] = [text('one')], options: BenchOptions = {}, change: Partial<ChatJob> = {}) {
  const bench = begin([...events, end()], options)
  const request = (await bench.seal({ ...JOB, ...change })) as SealedRequest
  return { ...bench, request }
}

function text(value: string, choice = 0): Extract<ChatEvent, { type: 'text' }> {
  return { type: 'text', choice, text: value, tokens: 2, ids: [value.length, 5] }
}

function end(...finishes: ('stop' | 'length' | 'tool_calls')[]): ChatEvent {
  return { type: 'end', finishes: finishes.length === 0 ? ['stop'] : finishes, usage: USAGE }
}

const CASES: [string, Partial<ChatJob>, (ChatEvent | Error)[]][] = [
  ['text', {}, [text(CANARY), text('👋 ü'), end('length')]],
  ['text with log probabilities', { logprobs: { top: 0 } }, [{ ...text(CANARY), logprobs: [token] }, end()]],
  ['tool calls', { tools: [{ name: 'f' }] }, [{ type: 'tool-calls', choice: 0, calls }, end('tool_calls')]],
  [
    'citations',
    {},
    [
      text('a'),
      { type: 'annotations', choice: 0, annotations: [{ url: CANARY, title: 't', start: 0, end: 1 }] },
      end(),
    ],
  ],
  ['several choices', { n: 2 }, [text(CANARY), text('b', 1), text('c'), end('stop', 'length')]],
  [
    'an error that quotes the request',
    {},
    [text('a'), new EngineError('invalid_json_schema', `Cannot enforce "${CANARY}"`, { param: CANARY })],
  ],
  ['an unexpected error', {}, [text('a'), new Error(CANARY)]],
]

describe('a sealed reply', () => {
  it.each(CASES)('with %s is for its client the same as a plain one', async (_what, change, events) => {
    const [plain, secret] = [false, true].map((isSealed) => begin(events, { isSealed })) as [Bench, Bench]
    for (const { start, clock } of [plain, secret]) {
      await start({}, { ...JOB, ...change, recovery: { bareId: true } })
      await clock.advance(1_000)
    }
    expect(secret.frames).toEqual(plain.frames)
    expect(secret.jobs).toEqual([{ ...plain.jobs[0], prefixScope: expect.anything() }])
    expect(JSON.stringify(secret.sent)).not.toContain(CANARY)
    expect(JSON.stringify(plain.sent)).toContain(events.at(-1) instanceof EngineError ? CANARY : 'job-')
  })

  it('shows counts and codes, and boxes whose sizes say little', async () => {
    const { start, clock, sent } = await sealed([text('a'), text('b'.repeat(40))])
    await start()
    await clock.advance(1_000)
    const boxes = sent.filter((frame) => frame.type === 'job-sealed')
    expect(boxes.map(({ tokens }) => tokens)).toEqual([2, 2])
    expect(boxes.map(({ box }) => Buffer.from(box, 'base64').length)).toEqual([32 + 128 + 16, 128 + 16])
    expect(sent.at(-1)).toMatchObject({ type: 'job-end', finishes: ['stop'], usage: USAGE })
  })

  it('hides what its error says, except for the code', async () => {
    const error = new EngineError('invalid_value', CANARY, { param: 'stop', retryable: true })
    const { start, sent, frames } = begin([error])
    await start()
    expect(sent.at(-1)).toEqual({
      ...jobError('invalid_value', 'The model rejects a value of the request', { retryable: true }),
      box: expect.any(String),
    })
    expect(frames.at(-1)).toMatchObject({ message: CANARY, param: 'stop' })
  })

  it('fails if one of its events is too long for the link', async () => {
    const long = [{ id: 'c', name: 'f', arguments: 'x'.repeat(800_000) }]
    const { start, frames, runner } = await sealed([{ type: 'tool-calls', choice: 0, calls: long }])
    await start()
    expect(frames.at(-1)).toMatchObject({ code: 'failed', message: 'A part of the reply is too long to be sealed' })
    expect(runner.running).toBe(0)
  })
})

type Bench = ReturnType<typeof begin>

describe('a sealed reply that another device continues', () => {
  it('continues from the boxes of the first device', async () => {
    const devices = ['device-1', 'device-2', 'device-3'].map((id) => ({ id, key: newAgreementKey() }))
    const client = new SealedClient(devices, () => new Date('2026-11-15T12:00:00Z').getTime())
    const [first, second, third] = devices.map((device, index) =>
      begin([text(`${'He'.repeat(index)}llo`), { type: 'tool-calls', choice: 0, calls }, index < 2 ? LOST : end()], {
        sealing: { device, client },
      }),
    ) as [Bench, Bench, Bench]
    const request = await client.seal('job-1', JOB)
    const sent: DeviceFrame[] = []
    for (const [attempt, bench] of [first, second, third].entries()) {
      const begun = begunOf(sent)
      await bench.offer({ ...request, recovery: attempt === 0 ? {} : { begun } }, { attempt: attempt * 2 })
      await bench.clock.advance(1_000)
      sent.push(...bench.sent)
    }
    const checksum = expect.any(Number)
    expect([first, second, third].map(({ jobs }) => jobs[0]?.recovery)).toEqual([
      { bareId: true },
      { bareId: true, choices: [{ tokens: [3, 5], length: 3, checksum, hasCalls: true }] },
      { bareId: true, choices: [{ tokens: [3, 5, 5, 5], length: 8, checksum, hasCalls: true }] },
    ])
    const kinds = third.frames.map(({ type }) => type).filter((type) => type !== 'job-progress')
    expect(kinds).toEqual(['job-accept', 'job-delta', 'job-calls', 'job-end'])
  })

  it('does not start if the gateway changed, left out or reordered a box', async () => {
    const bench = await sealed([text('a'), text('b', 1), text('c')], {}, { n: 2 })
    await bench.offer({ ...bench.request, recovery: {} })
    await bench.clock.advance(1_000)
    const boxes = begunOf(bench.sent)[0]?.boxes ?? []
    expect(boxes).toHaveLength(3)
    const wrong = [boxes.slice(1), boxes.toReversed(), [boxes[0]!, boxes[0]!], [...boxes.slice(0, 2), 'AAAA']]
    for (const [index, changed] of wrong.entries())
      await bench.offer(
        { ...bench.request, recovery: { begun: [{ attempt: 0, boxes: changed }] } },
        { attempt: index + 1 },
      )
    expect(bench.sent.slice(-wrong.length).map(messageOf)).toEqual(
      wrong.map(() => "The device can't open the beginning of the reply"),
    )
    expect(bench.jobs).toHaveLength(1)
  })
})

describe('a sealed request', () => {
  const MINUTES = 60_000

  it.each<[string, number, boolean]>([
    ['just now', 0, true],
    ['5 minutes ago', -5 * MINUTES, true],
    ['in 5 minutes', 5 * MINUTES, true],
    ['longer ago', -5 * MINUTES - 1, false],
    ['later', 5 * MINUTES + 1, false],
  ])('that was sealed %s is taken or not', async (_when, offsetMs, isTaken) => {
    const { offer, sealed: sealing, clock, sent } = begin([end()])
    const sealedAt = clock.date().getTime() + offsetMs
    await offer(await sealing.client.seal('job-1', JOB, { sealedAt }))
    expect(sent.map(({ type }) => type)).toEqual(isTaken ? ['job-accept', 'job-end'] : ['job-error'])
    if (!isTaken) expect(sent[0]).toMatchObject({ code: 'seal_rejected', retryable: true })
  })

  it('is continued for an hour, but only from boxes', async () => {
    const { offer, seal, clock, sent } = begin([text('one'), LOST])
    const request = (await seal(JOB)) as SealedRequest
    await offer({ ...request, recovery: {} })
    await clock.advance(59 * MINUTES)
    const begun = begunOf(sent)
    await offer({ ...request, recovery: { begun } }, { attempt: 1 })
    expect(sent.filter(({ type }) => type === 'job-sealed')).toHaveLength(2)
    const errorOf = (attempt: number) => sent.find((frame) => frame.type === 'job-error' && frame.attempt === attempt)
    await offer({ ...request, recovery: { begun: [{ attempt: 0, boxes: [] }] } }, { attempt: 2 })
    expect(messageOf(errorOf(2))).toContain('sealed more than 5 minutes ago')
    await clock.advance(2 * MINUTES)
    await offer({ ...request, recovery: { begun } }, { attempt: 3 })
    expect(messageOf(errorOf(3))).toContain('sealed more than 5 minutes ago')
  })

  it('is taken once, whatever the gateway calls it', async () => {
    const { offer, request, sent, jobs } = await sealed()
    await offer(request, { job: 'a' })
    await offer(request, { job: 'b' })
    const answer = sent.filter((frame) => 'job' in frame && frame.job === 'b')
    expect(answer.map(messageOf)).toEqual(['The device already ran this sealed request'])
    expect(jobs).toHaveLength(1)
  })

  it('runs again if the app was restarted meanwhile, under another key', async () => {
    const device = { id: 'device-1', key: newAgreementKey() }
    const client = new SealedClient([device], () => new Date('2026-11-15T12:00:00Z').getTime())
    const request = await client.seal('job-1', JOB)
    const apps = [0, 1].map(() => begin([text('a'), text('b'), end()], { sealing: { device, client: nobody } }))
    for (const { offer, clock } of apps) {
      await offer(request)
      await clock.advance(1_000)
    }
    const [first, again] = apps.map(({ sent }) => begunOf(sent)[0]!.boxes)
    expect(new Set([...first!, ...again!]).size).toBe(4)
  })

  it.each<[string, Partial<SealedHeader>, Partial<ChatJob>]>([
    ['organization', { organization: 'organization-2' }, {}],
    ['model', { model: 'other' }, {}],
    ['number of choices', { choices: 1 }, { n: 2 }],
    ['features', { features: ['sealed'] }, { tools: [{ name: 'f' }] }],
  ])('with another %s in its header is rejected for good', async (_what, header, change) => {
    const { offer, sealed: sealing, sent } = begin([end()])
    const request = await sealing.client.seal('job-1', { ...JOB, ...change }, header)
    await offer({ ...request, model: 'echo' })
    const message = "The sealed request doesn't match its header"
    expect(sent).toEqual([
      { type: 'job-error', ...at, code: 'seal_rejected', message, retryable: false, crashed: false },
    ])
  })

  it.each<[string, (request: SealedRequest['sealed']) => Partial<SealedRequest['sealed']>, RegExp]>([
    ['for another device', () => ({ keys: [] }), /wasn't sealed for this device/],
    ['with a changed box', ({ box }) => ({ box: `${box.slice(0, 8)}AAAA${box.slice(12)}` }), /can't open/],
    ['with a box that is none', () => ({ box: '!' }), /malformed/],
  ])('%s is rejected', async (_what, change, message) => {
    const { offer, request, sent } = await sealed()
    await offer({ ...request, sealed: { ...request.sealed, ...change(request.sealed) } })
    expect(sent).toHaveLength(1)
    expect(messageOf(sent[0])).toMatch(message)
  })

  it('that is not a job inside is rejected, and the app goes on', async () => {
    const { offer, sealed: sealing, sent, start } = begin([end()])
    const odd = { ...JOB, messages: 'none' } as unknown as ChatJob
    await offer(await sealing.client.seal('odd', odd, { features: ['sealed'] }), { job: 'odd' })
    expect(messageOf(sent[0])).toBe('The sealed request is malformed')
    await start()
    expect(sent.at(-1)?.type).toBe('job-end')
  })

  it.each(['canceled', 'without a link'])('that is %s while it is opened never runs', async (how) => {
    const { runner, link, request, sealed: sealing, sent, jobs, start } = await sealed()
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', request }, link)
    if (how === 'canceled') runner.receive({ type: 'job-cancel', ...at, reason: 'client-gone' }, link)
    else runner.linkGone()
    await sealing.opened()
    await settle()
    expect(sent).toEqual(how === 'canceled' ? [{ type: 'job-cancelled', ...at }] : [])
    expect([jobs.length, runner.running]).toEqual([0, 0])
    await start()
    expect(jobs).toHaveLength(1)
  })

  it('gets numbers from the defaults of its model, and no words', async () => {
    const defaults = { temperature: 0.2, topK: 5, systemMessage: 'Obey', chatTemplate: '{{ messages }}' }
    const { offer, request, jobs } = await sealed([text('one')], { defaults })
    await offer(request)
    expect(jobs).toEqual([{ ...JOB, temperature: 0.2, topK: 5, prefixScope: expect.anything() }])
  })

  it('shares what is computed for its prompt with nobody but its client', async () => {
    const { offer, sealed: sealing, jobs } = begin([end()])
    const scopes = async (name: string, secret?: string) => {
      const plain = { ...JOB, ...(secret !== undefined && { prefixScope: { name: secret } }) }
      await offer({ ...(await sealing.client.seal(name, plain)), prefixScope: { name: 'key-1' } }, { job: name })
      return jobs.at(-1)?.prefixScope
    }
    const [first, again, other, none, noneAgain] = [
      await scopes('a', 'secret'),
      await scopes('b', 'secret'),
      await scopes('c', 'other'),
      await scopes('d'),
      await scopes('e'),
    ]
    expect(first).toMatchObject({ isSeparate: true, isPrivate: true })
    expect(again).toEqual(first)
    expect(new Set([first, other, none, noneAgain].map((scope) => scope?.name)).size).toBe(4)
  })

  it('is refused by a device without a key', async () => {
    const { offer, request, sent } = await sealed([], { hasNoKey: true })
    await offer(request)
    expect(sent).toEqual([{ type: 'job-refuse', ...at, reason: 'unsupported' }])
  })
})

function messageOf(frame: DeviceFrame | undefined): string | undefined {
  return frame?.type === 'job-error' ? frame.message : undefined
}
