import { encodeFrame, type DeviceFrame, type DeviceModel, type Hello } from '@hearth/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ByteBudget } from '@hearth/chat'
import { realClock } from '../../time/clock.ts'
import { DeviceLink, type LinkListener } from './device-link.ts'
import type { DeviceHub } from './device-hub.ts'

const hello: Hello = { type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models: [] }

function open(bytes = 1024 * 1024 * 1024) {
  const budgets = { devices: new ByteBudget(bytes), reports: new ByteBudget(bytes / 100) }
  const listener = {
    greeted: vi.fn<LinkListener['greeted']>(),
    modelsChanged: vi.fn<LinkListener['modelsChanged']>(),
    reportChanged: vi.fn<LinkListener['reportChanged']>(),
    sharedChanged: vi.fn<LinkListener['reportChanged']>(),
    draining: vi.fn<LinkListener['draining']>(),
    full: vi.fn<LinkListener['full']>(),
    closed: vi.fn<LinkListener['closed']>(),
  }
  const hub = { jobFrame: vi.fn<DeviceHub['jobFrame']>() }
  const sent: string[] = []
  const closes: number[] = []
  const reasons: string[] = []
  const unread: (() => void)[] = []
  const socket = {
    bufferedBytes: 0,
    send: (text: string, whenSent?: () => void) => {
      sent.push(text)
      if (whenSent) unread.push(whenSent)
    },
    close: (code: number, reason: string) => {
      closes.push(code)
      reasons.push(reason)
    },
  }
  const link = new DeviceLink({ id: 'd', organization: 'o', name: 'n' }, 1, socket, {
    listener,
    hub,
    budgets,
    clock: { ...realClock, now: () => 0 },
  })
  const say = (...frames: DeviceFrame[]) => frames.forEach((frame) => link.receive(encodeFrame(frame), 0))
  return {
    link,
    budgets,
    listener,
    say,
    sent,
    closes,
    reasons,
    read: () => unread.splice(0).forEach((whenSent) => whenSent()),
  }
}

function models(...names: string[]): { type: 'models'; models: DeviceModel[] } {
  return { type: 'models', models: names.map((name) => ({ name, contextLength: 1, slots: 1, features: [] })) }
}

function useFakeTimers(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

describe('a link', () => {
  it('is closed with code 4426 if its ends speak no common version', () => {
    const { say, closes } = open()
    say({ ...hello, protocols: [99] })
    expect(closes).toEqual([4426])
  })

  it('is quiet: the device is pinged, and disconnected with code 4410 if it stays silent', () => {
    const { link, say, sent, closes } = open()
    say(hello)
    const intervals = { busyMs: 5, idleMs: 15 }
    link.check(1_000, intervals, 10)
    expect(sent.at(-1)).toContain('ping')
    link.check(2_000, intervals, 10)
    expect(closes).toEqual([4410])
  })

  it('keeps no secrets from the addresses of models, which older devices report', () => {
    const { link, say } = open()
    const source = 'https://ann:secret@host/x.gguf?signature=secret'
    const problem = `Can't download ${source}`
    say(hello, { type: 'downloads', downloads: [{ model: 'x', doneBytes: 1, source, problem }] })
    const models = [{ name: 'x', bytes: 1, source }]
    say({ type: 'library', library: { isOpen: true, diskFreeBytes: 1, memoryBytes: 1, models } })
    say({ type: 'shared', models: [{ name: 'x', source, files: [] }] })
    expect(JSON.stringify(link.report)).not.toContain('secret')
    const { downloads, library, shared } = link.report
    const kept = [downloads[0]?.source, library?.models[0]?.source, shared[0]?.source]
    expect(kept).toEqual(kept.map(() => 'https://host/x.gguf'))
  })
})

describe('a large request', () => {
  const attempt = { job: 'j', attempt: 1 }

  it.each<[string, (link: DeviceLink, say: (frame: DeviceFrame) => void) => void]>([
    ['is canceled', (link) => link.send({ type: 'job-cancel', ...attempt, reason: 'client-gone' })],
    ['is refused', (_, say) => say({ type: 'job-refuse', ...attempt, reason: 'busy' })],
    ['is answered', (_, say) => say({ type: 'job-delta', ...attempt, sequence: 0, choice: 0, text: 'x' })],
    ['loses its link', (link) => link.ended()],
  ])('is not sent to its end if it %s', (_, stop) => {
    const { link, say, sent, read } = open()
    say(hello)
    link.startJob({ ...attempt, lease: 1, model: 'm', front: 'this', isPaused: false }, 'x'.repeat(1_000_000))
    read()
    expect(sent.filter((text) => text.includes('job-part'))).toHaveLength(2)
    stop(link, say)
    read()
    expect(sent.filter((text) => text.includes('job-part'))).toHaveLength(2)
  })
})

describe('a device that announces without end', () => {
  it('is heard at once the first time, and four times per second after that', () => {
    useFakeTimers()
    const { listener, say } = open()
    say(hello, models('a'), models('b'))
    expect(listener.modelsChanged.mock.calls.map(([, list]) => list)).toEqual([models('a').models])
    for (let count = 0; count < 1_000; count++) {
      say(models('c'), models('d'))
      vi.advanceTimersByTime(1)
    }
    expect(listener.modelsChanged).toHaveBeenCalledTimes(5)
  })

  it('is heard with its last announcement, whatever comes in between', () => {
    useFakeTimers()
    const { link, listener, say } = open()
    say(hello, models('a'), models('b'), models('b', 'c'))
    expect(link.state).toMatchObject({ hello: { models: models('b', 'c').models } })
    vi.runAllTimers()
    expect(listener.modelsChanged.mock.lastCall![1]).toEqual(models('b', 'c').models)
    say(models())
    expect(listener.modelsChanged.mock.lastCall![1]).toEqual([])
  })

  it('is heard about its downloads at most four times per second', () => {
    useFakeTimers()
    const { link, listener, say } = open()
    say(hello)
    for (let doneBytes = 0; doneBytes < 100; doneBytes++)
      say({ type: 'downloads', downloads: [{ model: 'm', doneBytes }] })
    expect(listener.reportChanged).toHaveBeenCalledTimes(1)
    vi.runAllTimers()
    expect(listener.reportChanged).toHaveBeenCalledTimes(2)
    expect(link.report.downloads).toEqual([{ model: 'm', doneBytes: 99 }])
  })

  it('says why it takes no jobs, until it does again', () => {
    const { link, say } = open()
    say(hello)
    say({ type: 'rest', rest: { reason: 'hours', until: '18:\u202e00' } })
    expect(link.report.rest).toEqual({ reason: 'hours', until: '18:00' })
    say({ type: 'rest' })
    expect(link.report.rest).toBeUndefined()
  })

  it('is news when it begins or stops measuring its energy, and its figures wait until someone looks', () => {
    useFakeTimers()
    const { link, listener, say } = open()
    const energy = (watts: number) => ({ parts: ['gpu' as const], watts, wattHoursToday: 1 })
    const hears = (frame: DeviceFrame) => {
      const before = listener.reportChanged.mock.calls.length
      say(frame)
      vi.runAllTimers()
      return listener.reportChanged.mock.calls.length > before
    }
    say(hello)
    expect(hears({ type: 'energy', energy: energy(80) })).toBe(true)
    expect(hears({ type: 'energy', energy: energy(90) })).toBe(false)
    expect(link.report.energy).toEqual(energy(90))
    expect(hears({ type: 'rest', rest: { reason: 'paused' } })).toBe(true)
    expect(hears({ type: 'energy' })).toBe(true)
    expect(link.report.energy).toBeUndefined()
  })

  it('is not heard after its link has ended', () => {
    useFakeTimers()
    const { link, listener, say } = open()
    say(hello, models('a'), models('b'))
    link.ended()
    vi.runAllTimers()
    expect(listener.modelsChanged).toHaveBeenCalledTimes(1)
  })

  it('drains once', () => {
    const { listener, say } = open()
    say(hello, { type: 'drain' }, { type: 'drain' })
    expect(listener.draining).toHaveBeenCalledTimes(1)
  })
})

describe('a device that says more about itself than there is memory for', () => {
  /** A third is for one device; two megabytes of that are for messages. */
  const ROOM = 3 * (2 * 1024 * 1024 + 20 * 1024)
  const downloads = (count: number): DeviceFrame => ({
    type: 'downloads',
    downloads: Array.from({ length: count }, (_, index) => ({ model: `${index}`, doneBytes: 1 })),
  })

  it('keeps its earlier report, and is told once', () => {
    const { link, listener, say, sent } = open(ROOM)
    say(hello, downloads(1), downloads(256), downloads(256), models(...Array.from({ length: 50 }, String)))
    expect(link.report.downloads).toHaveLength(1)
    expect(link.state).toMatchObject({ name: 'serving', hello: { models: [] } })
    expect(sent.filter((text) => text.includes('notice'))).toEqual([expect.stringContaining('MEMORY_BUDGET_MB')])
    expect(listener.full).toHaveBeenCalledExactlyOnceWith(link, 'key')
    say(downloads(2))
    expect(link.report.downloads).toHaveLength(2)
  })

  it('is disconnected with code 4413 and a reason if its greeting is too much', () => {
    const { listener, say, closes, reasons } = open(ROOM)
    say({ ...hello, ...models(...Array.from({ length: 50 }, String)), type: 'hello' })
    expect(closes).toEqual([4413])
    expect(reasons).toEqual([expect.stringMatching(/^no memory left .{30,}operator$/)])
    expect(listener.greeted).not.toHaveBeenCalled()
  })

  it('is disconnected if a message of it never ends', () => {
    const { link, say, closes } = open(ROOM)
    say(hello)
    link.arriving(10 * 1024)
    expect(closes).toEqual([])
    link.arriving(3 * 1024 * 1024)
    expect(closes).toEqual([4413])
  })

  it('can still send messages', () => {
    const { link, say, sent } = open(ROOM)
    say(hello, downloads(30), downloads(256))
    expect(sent.at(-1)).toContain('notice')
    expect(link.arriving(1024 * 1024)).toBe(true)
  })

  it('gives everything back when its link is closed', () => {
    const { link, budgets, say } = open()
    say(hello, downloads(256), models('a'))
    link.arriving(10 * 1024)
    expect(budgets.devices.usedBytes).toBeGreaterThan(10 * 1024)
    expect(budgets.reports.usedBytes).toBeGreaterThan(20 * 1024)
    link.ended()
    link.arriving(20 * 1024)
    expect([budgets.devices.usedBytes, budgets.reports.usedBytes]).toEqual([0, 0])
  })
})
