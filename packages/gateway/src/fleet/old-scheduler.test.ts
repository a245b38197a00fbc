import {
  encodeFrame,
  parseGatewayFrames,
  TextSum,
  type DeviceFrame,
  type DeviceModel,
  type GatewayFrame,
} from '@hearth/protocol'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DeviceSocket } from './home/device-socket.ts'
import { Hub } from './home/hub.ts'
import { DEFAULT_LIMITS, type Ticket } from './scheduler/core/types.ts'
import type { Reply } from './front/reply.ts'
import type { JobRecord } from './front/job-record.ts'
import { Scheduler } from './old-scheduler.ts'

const model: DeviceModel = { name: 'm', contextLength: 100, slots: 1, features: ['n'] }
const hubs: Hub[] = []
let epoch = 0
afterEach(() => hubs.splice(0).forEach((hub) => hub.close()))

const token = { token: 'a', logprob: -1, bytes: Array.from({ length: 500 }, () => 1) }

function list<Item>(length: number, item: Item): Item[] {
  return Array.from({ length }, () => item)
}

function start() {
  const hub = new Hub({ intervals: { busyMs: 5_000, idleMs: 15_000 } })
  hubs.push(hub)
  const records: JobRecord[] = []
  const scheduler = new Scheduler({ links: hub, limits: DEFAULT_LIMITS, onRecord: (record) => records.push(record) })
  return { hub, scheduler, records }
}

function connect(hub: Hub, id: string, models: DeviceModel[] = [model], organization = 'o') {
  const frames: GatewayFrame[] = []
  const closes: number[] = []
  const socket: DeviceSocket = {
    send: (text, whenSent) => {
      parseGatewayFrames(text, (frame) => frames.push(frame))
      whenSent?.()
    },
    close: (code) => closes.push(code),
    bufferedBytes: 0,
  }
  const link = hub.accept({ id, organization, name: id }, ++epoch, socket)
  const say = (...said: DeviceFrame[]) => said.forEach((frame) => link.receive(encodeFrame(frame), performance.now()))
  say({ type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models })
  return { link, say, frames, closes }
}

function submit(scheduler: Scheduler, fields: Partial<Ticket> = {}, n?: number) {
  const reply = {
    placed: vi.fn<Reply['placed']>(),
    text: vi.fn<Reply['text']>(),
    toolCalls: vi.fn<Reply['toolCalls']>(),
    annotations: vi.fn<Reply['annotations']>(),
    restart: vi.fn<Reply['restart']>(),
    end: vi.fn<Reply['end']>(),
    fail: vi.fn<Reply['fail']>(),
  }
  const ticket: Ticket = {
    job: 'j',
    organization: 'o',
    key: 'k',
    model: 'm',
    features: [],
    rerunnable: false,
    cost: 1,
    promptSize: 1,
    prefixes: [],
    ...fields,
  }
  const handle = scheduler.submit(
    ticket,
    { text: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], n }), choices: n ?? 1 },
    reply,
  )
  return { reply, handle }
}

describe('the scheduler over a link', () => {
  it('[L10] [S13] welcomes a device and gives it a job of its organization', () => {
    const { hub, scheduler } = start()
    const { frames } = connect(hub, 'd')
    submit(scheduler)
    expect(frames).toMatchObject([
      { type: 'welcome', protocol: 1, device: 'd', organization: 'o' },
      { type: 'job-start', job: 'j', attempt: 1, organization: 'o', request: { model: 'm' } },
    ])
  })

  it('[L11] [S25] passes events on in order and drops what was already seen', () => {
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    const { reply } = submit(scheduler)
    const delta = (sequence: number, text: string): DeviceFrame => ({
      type: 'job-delta',
      job: 'j',
      attempt: 1,
      sequence,
      choice: 0,
      text,
    })
    say({ type: 'job-accept', job: 'j', attempt: 1 }, delta(0, 'a'), delta(0, 'a'), delta(1, 'b'))
    say({
      type: 'job-end',
      job: 'j',
      attempt: 1,
      sequence: 2,
      finishes: ['stop'],
      usage: { promptTokens: 1, completionTokens: 2 },
    })
    expect(reply.text.mock.calls.map(([, text]) => text)).toEqual(['a', 'b'])
    expect(reply.end).toHaveBeenCalledExactlyOnceWith(['stop'], { promptTokens: 1, completionTokens: 2 })
    expect(records).toMatchObject([{ outcome: { kind: 'ended' }, device: 'd', tokens: { prompt: 1, completion: 2 } }])
    expect(scheduler.runCount).toBe(0)
  })

  it('[S48] records a job before its client gets the end or the error', () => {
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    const ended = submit(scheduler)
    const recorded: number[] = []
    ended.reply.end.mockImplementation(() => recorded.push(records.length))
    say({ type: 'job-end', job: 'j', attempt: 1, sequence: 0, finishes: ['stop'] })
    const failed = submit(scheduler, { job: 'f' })
    failed.reply.fail.mockImplementation(() => recorded.push(records.length))
    scheduler.shutdown()
    expect(recorded).toEqual([1, 2])
  })

  it('[S19] gives the job to another device when the first is lost before the first event', () => {
    const { hub, scheduler } = start()
    const first = connect(hub, 'd1')
    const { reply } = submit(scheduler)
    const second = connect(hub, 'd2')
    first.say({ type: 'job-accept', job: 'j', attempt: 1 })
    first.link.ended()
    expect(second.frames.at(-1)).toMatchObject({ type: 'job-start', job: 'j', attempt: 2 })
    expect(reply.fail).not.toHaveBeenCalled()
  })

  it('[S31a] [S31b] cancels on the device and keeps the slot until the device confirms', () => {
    const { hub, scheduler } = start()
    const { say, frames } = connect(hub, 'd')
    const { handle } = submit(scheduler)
    say({ type: 'job-accept', job: 'j', attempt: 1 })
    handle.cancel('client-gone')
    expect(frames.at(-1)).toMatchObject({ type: 'job-cancel', job: 'j', attempt: 1, reason: 'client-gone' })
    submit(scheduler, { job: 'j2' })
    expect(frames.at(-1)).toMatchObject({ type: 'job-cancel' })
    say({ type: 'job-cancelled', job: 'j', attempt: 1 })
    expect(frames.at(-1)).toMatchObject({ type: 'job-start', job: 'j2' })
  })

  it('[L14] keeps one link per device: the newest', () => {
    const { hub } = start()
    const old = connect(hub, 'd')
    connect(hub, 'd')
    expect(old.closes).toEqual([4409])
    expect(hub.linkCount).toBe(1)
  })

  it('[L15] closes the link of a device that sends junk, and no other', () => {
    const { hub } = start()
    const bad = connect(hub, 'bad')
    connect(hub, 'good')
    bad.link.receive('{"type":"job-delta"}', 0)
    bad.link.receive('nonsense', 0)
    expect(bad.closes).toEqual([4400])
    expect(hub.linkCount).toBe(1)
  })

  it('[S24] drops reports of a device on a job of another organization', () => {
    const { hub, scheduler } = start()
    const own = connect(hub, 'd')
    const foreign = connect(hub, 'x', [model], 'other')
    const { reply } = submit(scheduler)
    foreign.say({ type: 'job-delta', job: 'j', attempt: 1, sequence: 0, choice: 0, text: 'forged' })
    expect(reply.text).not.toHaveBeenCalled()
    expect(own.frames.at(-1)).toMatchObject({ type: 'job-start' })
    expect(foreign.frames.map(({ type }) => type)).toEqual(['welcome'])
  })

  it('[L17] sends a large job in parts that add up to exactly its JSON', () => {
    const { hub, scheduler } = start()
    const { frames } = connect(hub, 'd')
    const ticket: Ticket = {
      job: 'j',
      organization: 'o',
      key: 'k',
      model: 'm',
      features: [],
      rerunnable: false,
      cost: 1,
      promptSize: 1,
      prefixes: [],
    }
    const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x'.repeat(300_000) }] }
    const job = { text: JSON.stringify(request), choices: 1 }
    scheduler.submit(ticket, job, {
      placed() {},
      text() {},
      toolCalls() {},
      annotations() {},
      restart() {},
      end() {},
      fail() {},
    })
    const parts = frames.filter((frame) => frame.type === 'job-part')
    expect(frames[1]).toMatchObject({ type: 'job-start', parts: 3 })
    expect(JSON.parse(parts.map(({ text }) => text).join(''))).toEqual(request)
  })

  it('[L18] fails an attempt that sends a choice nobody requested', () => {
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    const { reply } = submit(scheduler)
    for (const attempt of [1, 2, 3])
      say(
        { type: 'job-accept', job: 'j', attempt },
        { type: 'job-delta', job: 'j', attempt, sequence: 0, choice: 1, text: 'x' },
        { type: 'job-cancelled', job: 'j', attempt },
      )
    expect(reply.text).not.toHaveBeenCalled()
    expect(records.map(({ outcome }) => outcome.kind)).toEqual(['device-lost'])
  })

  it('[S60] [S60h] [S60i] continues a stream on another device, with its tokens', () => {
    const { hub, scheduler, records } = start()
    const models: DeviceModel[] = [{ ...model, digest: 'f', features: ['resume'] }]
    const first = connect(hub, 'one', models)
    const { reply, handle } = submit(scheduler)
    expect(first.frames.at(-1)).toMatchObject({ type: 'job-start', request: { recovery: { bareId: true } } })
    const place = { job: 'j', attempt: 1, choice: 0 }
    first.say({ type: 'job-accept', job: 'j', attempt: 1 })
    first.say({ type: 'job-delta', ...place, sequence: 0, text: '', ids: [1, 2] })
    first.say({ type: 'job-delta', ...place, sequence: 1, text: 'He', tokens: 3, ids: 3 })
    handle.pause()
    const second = connect(hub, 'two', models)
    first.link.ended()
    const sum = new TextSum()
    sum.add('He')
    const begun = { tokens: [1, 2, 3], length: 2, checksum: sum.checksum, hasCalls: false }
    expect(second.frames.at(-1)).toMatchObject({ attempt: 2, request: { model: 'm', recovery: { choices: [begun] } } })
    second.say({ type: 'job-accept', job: 'j', attempt: 2 })
    expect(second.frames.at(-1)).toMatchObject({ type: 'job-pause', attempt: 2 })
    second.say({ type: 'job-delta', ...place, attempt: 2, sequence: 0, text: 'llo', tokens: 1, ids: [4] })
    second.say({ type: 'job-end', job: 'j', attempt: 2, sequence: 1, finishes: ['stop'] })
    expect(reply.text.mock.calls.map(([, text]) => text)).toEqual(['He', 'llo'])
    expect(reply.end).toHaveBeenCalledOnce()
    expect(reply.restart).not.toHaveBeenCalled()
    expect(records).toMatchObject([{ outcome: { kind: 'ended' }, device: 'two', tokens: { completion: 4 } }])
  })

  it('[S61] [S62] continues a whole reply with its tokens, on a second and a third device', () => {
    const { hub, scheduler, records } = start()
    const models: DeviceModel[] = [{ ...model, digest: 'f', features: ['resume'] }]
    const devices = [connect(hub, 'one', models)]
    const { reply } = submit(scheduler, { rerunnable: true })
    for (const [index, text] of ['Once ', 'upon ', 'a time'].entries()) {
      const device = devices[index]!
      const place = { job: 'j', attempt: index + 1 }
      device.say({ type: 'job-accept', ...place })
      device.say({ type: 'job-delta', ...place, choice: 0, sequence: 0, text, tokens: 1, ids: [index] })
      if (index === 2) device.say({ type: 'job-end', ...place, sequence: 1, finishes: ['stop'] })
      else devices.push(connect(hub, `another ${index}`, models))
      device.link.ended()
    }
    const begun = (device: (typeof devices)[number]) =>
      device.frames.flatMap((frame) => (frame.type === 'job-start' ? [frame.request?.recovery?.choices?.[0]] : []))[0]
    expect(devices.map(begun)).toEqual([
      undefined,
      expect.objectContaining({ tokens: [0], length: 5 }),
      expect.objectContaining({ tokens: [0, 1], length: 10 }),
    ])
    expect(reply.restart).not.toHaveBeenCalled()
    expect(reply.text.mock.calls.map(([, text]) => text).join('')).toBe('Once upon a time')
    expect(reply.end).toHaveBeenCalledOnce()
    expect(records).toMatchObject([{ outcome: { kind: 'ended' }, tokens: { completion: 3 } }])
  })

  it('[S60d] ends a stream with an error if no device can make sense of the tokens that its device made up', () => {
    const { hub, scheduler, records } = start()
    const models: DeviceModel[] = [{ ...model, digest: 'f', features: ['resume'] }]
    const liar = connect(hub, 'liar', models)
    const { reply } = submit(scheduler)
    liar.say({ type: 'job-accept', job: 'j', attempt: 1 })
    liar.say({ type: 'job-delta', job: 'j', attempt: 1, sequence: 0, choice: 0, text: 'He', ids: [4_000_000_000] })
    const others = [2, 3, 4].map((attempt) => ({ attempt, ...connect(hub, `honest ${attempt}`, models) }))
    liar.link.ended()
    const error = {
      code: 'failed',
      message: 'These tokens give another text',
      retryable: true,
      crashed: false,
    } as const
    for (const { attempt } of others)
      for (const { say } of others) say({ type: 'job-error', job: 'j', attempt, ...error })
    expect(reply.text.mock.calls.map(([, text]) => text)).toEqual(['He'])
    expect(reply.fail).toHaveBeenCalledOnce()
    expect(reply.end).not.toHaveBeenCalled()
    expect(records.map(({ outcome }) => outcome.kind)).toEqual(['device-lost'])
  })

  it('[L18a] fails an attempt that sends more than any answer could hold', () => {
    const { hub, scheduler } = start()
    const { say, frames } = connect(hub, 'd')
    const { reply } = submit(scheduler, { rerunnable: true })
    say({ type: 'job-accept', job: 'j', attempt: 1 })
    const text = 'x'.repeat(1_000_000)
    for (let sequence = 0; sequence < 70; sequence++)
      say({ type: 'job-delta', job: 'j', attempt: 1, sequence, choice: 0, text })
    expect(reply.text).toHaveBeenCalledTimes(67)
    expect(frames).toContainEqual(expect.objectContaining({ type: 'job-cancel', job: 'j', attempt: 1 }))
  })

  it.each<[string, object]>([
    ['calls', { type: 'job-calls', calls: [{ id: 'i', name: 'n', arguments: 'x'.repeat(1_000_000) }] }],
    ['small calls', { type: 'job-calls', calls: list(128, { id: '', name: '', arguments: '' }) }],
    [
      'citations',
      { type: 'job-annotations', annotations: list(60, { url: '', title: 't'.repeat(8_000), start: 0, end: 1 }) },
    ],
    ['log probabilities', { type: 'job-delta', text: '', logprobs: list(20, { ...token, top: list(20, token) }) }],
  ])('[L18a] counts what %s take up', (_what, frame) => {
    const { hub, scheduler } = start()
    const { say, frames } = connect(hub, 'd')
    submit(scheduler, { rerunnable: true })
    say({ type: 'job-accept', job: 'j', attempt: 1 })
    const place = { job: 'j', attempt: 1, choice: 0 }
    const isStopped = () => frames.some(({ type }) => type === 'job-cancel')
    let sequence = 0
    for (; sequence < 10_000 && !isStopped(); sequence++) say({ ...place, sequence, ...frame } as DeviceFrame)
    expect(isStopped()).toBe(true)
  })

  it('[L18b] ends a job whose reply has no room, and tells its device to stop', () => {
    const { hub, scheduler, records } = start()
    const { say, frames } = connect(hub, 'd')
    const { reply, handle } = submit(scheduler, { rerunnable: true })
    say({ type: 'job-accept', job: 'j', attempt: 1 })
    handle.giveUp('organization')
    expect(reply.fail).toHaveBeenCalledExactlyOnceWith({ kind: 'out-of-memory', full: 'organization' })
    expect(frames.at(-1)).toMatchObject({ type: 'job-cancel', job: 'j', attempt: 1 })
    expect(records).toMatchObject([{ outcome: { kind: 'out-of-memory' } }])
    handle.giveUp('organization')
    expect(reply.fail).toHaveBeenCalledOnce()
  })

  it('[L24] keeps the downloads that a device reported last', () => {
    const { hub } = start()
    const { link, say } = connect(hub, 'd')
    say({ type: 'downloads', downloads: [{ model: 'big', doneBytes: 1, totalBytes: 2 }] })
    expect(link.downloads).toEqual([{ model: 'big', doneBytes: 1, totalBytes: 2 }])
    say({ type: 'downloads', downloads: [] })
    expect(link.downloads).toEqual([])
  })

  it('[L19] closes the link of a removed device at once', () => {
    const { hub } = start()
    const { closes } = connect(hub, 'd')
    hub.disconnect('d')
    expect(closes).toEqual([4401])
    expect(hub.linkCount).toBe(0)
  })

  it('[L20] closes the link of a device that speaks no common version', () => {
    const { hub } = start()
    const closes: number[] = []
    const link = hub.accept({ id: 'd', organization: 'o', name: 'd' }, 1, {
      send() {},
      close: (code) => closes.push(code),
      bufferedBytes: 0,
    })
    link.receive(encodeFrame({ type: 'hello', protocols: [99], app: '1', boot: 'b', engine: 'e', models: [] }), 0)
    expect(closes).toEqual([4426])
  })

  it('[L21] [L21a] pings a quiet device and disconnects one that stays silent', () => {
    const { hub } = start()
    const { link, frames, closes } = connect(hub, 'd')
    const intervals = { busyMs: 5, idleMs: 15 }
    const begun = performance.now()
    link.check(begun + 1_000, intervals, 10)
    expect(frames.at(-1)).toEqual({ type: 'ping' })
    link.check(begun + 2_000, intervals, 10)
    expect(closes).toEqual([4410])
  })
})

describe('the tokens of a job', () => {
  const accept: DeviceFrame = { type: 'job-accept', job: 'j', attempt: 1 }
  const place = { job: 'j', attempt: 1, choice: 0 }
  const token = { token: 't', logprob: -1, bytes: [116], top: [] }

  it('[S43] count the prompt once and the answer for every choice', () => {
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    const { reply } = submit(scheduler, {}, 3)
    const usage = { promptTokens: 10, completionTokens: 7 }
    say(accept, { type: 'job-end', job: 'j', attempt: 1, sequence: 0, finishes: ['stop', 'stop', 'stop'], usage })
    expect(records).toMatchObject([{ tokens: { prompt: 10, completion: 21 } }])
    expect(reply.end).toHaveBeenCalledExactlyOnceWith(['stop', 'stop', 'stop'], usage)
  })

  it.each<[string, DeviceFrame, number]>([
    [
      'as the device counted',
      { type: 'job-delta', ...place, sequence: 0, text: 'abcd', tokens: 3, logprobs: [token] },
      3,
    ],
    ['by log probabilities', { type: 'job-delta', ...place, sequence: 0, text: 'abcd', logprobs: [token, token] }, 2],
    ['by the length of the text', { type: 'job-delta', ...place, sequence: 0, text: 'x'.repeat(9) }, 3],
    [
      'by the length of tool calls',
      { type: 'job-calls', ...place, sequence: 0, calls: [{ id: 'i', name: 'find', arguments: '{"a":1}' }] },
      3,
    ],
    [
      'without citations',
      { type: 'job-annotations', ...place, sequence: 0, annotations: [{ url: 'u', title: 't', start: 0, end: 1 }] },
      0,
    ],
  ])('[S45] of a job that was cancelled are counted %s', (_, frame, completion) => {
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    const { handle } = submit(scheduler, { promptSize: 40 })
    say(accept, frame)
    handle.cancel('client-gone')
    expect(records).toMatchObject([{ outcome: { kind: 'cancelled' }, tokens: { prompt: 10, completion } }])
  })

  it('[S44a] take the prompt from the progress of reading it, and from no other', () => {
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    const { handle } = submit(scheduler)
    say(accept, { type: 'job-progress', job: 'j', attempt: 1, phase: 'prompt', done: 1, total: 77 })
    say({ type: 'job-progress', job: 'j', attempt: 1, phase: 'loading', done: 1, total: 4_000_000 })
    handle.cancel('client-gone')
    expect(records).toMatchObject([{ tokens: { prompt: 77, completion: 0 } }])
  })
})

describe('a job whose first device does not answer', () => {
  it('[S49] [S49b] runs on the second, and its client can pause it there', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { hub, scheduler } = start()
    const frozen = connect(hub, 'frozen')
    const { reply, handle } = submit(scheduler)
    const other = connect(hub, 'other')
    vi.advanceTimersByTime(1_100)
    const at = { job: 'j', attempt: 2 }
    other.say({ type: 'job-accept', ...at }, { type: 'job-delta', ...at, sequence: 0, choice: 0, text: 'hi' })
    frozen.say({ type: 'job-accept', job: 'j', attempt: 1 }, { type: 'job-cancelled', job: 'j', attempt: 1 })
    handle.pause()
    const afterStart = ({ frames }: typeof other) => frames.filter(({ type }) => type !== 'ping').slice(2)
    expect(afterStart(frozen)).toEqual([{ type: 'job-cancel', job: 'j', attempt: 1, reason: 'superseded' }])
    expect(afterStart(other)).toEqual([{ type: 'job-pause', ...at }])
    expect(reply.text).toHaveBeenCalledExactlyOnceWith(0, 'hi', undefined)
    expect(scheduler.stats()).toMatchObject({ leases: 1, hedges: { offered: 1, won: 1 } })
  })
})

describe('a job whose device loads the model first', () => {
  it('[S52b] waits until the device reports that it works on the job', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { hub, scheduler, records } = start()
    const { say } = connect(hub, 'd')
    submit(scheduler)
    const progress = { type: 'job-progress', job: 'j', attempt: 1 } as const
    say({ type: 'job-accept', job: 'j', attempt: 1 }, { ...progress, phase: 'loading' })
    vi.advanceTimersByTime(6_000)
    say({ ...progress, phase: 'queued' }, { type: 'job-end', job: 'j', attempt: 1, sequence: 0, finishes: ['stop'] })
    expect(records).toMatchObject([{ outcome: { kind: 'ended' }, waitMs: 6_000 }])
  })
})
