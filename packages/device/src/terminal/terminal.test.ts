import { describe, expect, it } from 'vitest'
import type { DeviceNews } from '../news.ts'
import type { DeviceStatus } from '../state/status-file.ts'
import { describeDownload, describeNews } from './describe-news.ts'
import { describeLive, describeStatus } from './describe-status.ts'
import { formatBytes, formatSeconds, plural } from '@hearth/command-line/format'
import { createLogScreen, createScreen, oneLine } from '@hearth/command-line/terminal/screen'
import { createPullPrinter } from './show-news.ts'

const status: DeviceStatus = {
  app: '0.1.0',
  pid: 42,
  startedAt: '2026-11-15T10:00:00Z',
  updatedAt: '2026-11-15T12:00:00Z',
  name: 'studio',
  gateway: 'https://hearth.example.com/',
  organization: 'o',
  link: { name: 'linked', gateway: 'https://hearth.example.com/', device: 'd', organization: 'o' },
  permission: { allowed: true },
  models: [
    { name: 'a', state: 'serving', slots: 4, busy: 1, contextLength: 8192, features: ['usage', 'tools'] },
    { name: 'b', state: 'failed', busy: 0, why: 'the file is cut short' },
    { name: 'c', state: 'loading', busy: 0 },
  ],
  jobs: { running: 1, answered: 1200, failed: 0, stopped: 2, handedOver: 0 },
}

/** The status with these changes, as lines. */
function linesOf(change: Partial<DeviceStatus>, at = status.updatedAt): string[] {
  return describeStatus({ ...status, ...change }, new Date(at)).map(({ level, text }) => `${level} ${text}`)
}

function newsOf(news: DeviceNews): string {
  const { level, text } = describeNews(news)!
  return `${level} ${text}`
}

describe('terminal output', () => {
  it('shows bytes, speed and time left of a download', () => {
    expect(
      describeDownload({ doneBytes: 12_345_678, totalBytes: 98_362_432, bytesPerSecond: 5_100_000, secondsLeft: 17 }),
    ).toBe('12.3 MB of 98.4 MB · 12% · 5.1 MB/s · 17 s left')
    expect(describeDownload({ doneBytes: 500, bytesPerSecond: 0 })).toBe('500 B · 0 B/s')
  })

  it('formats bytes, times and counts', () => {
    const bytes = [0, 999, 1_000, 123_456_789, 5_100_000_000].map(formatBytes)
    expect(bytes).toEqual(['0 B', '999 B', '1.0 KB', '123 MB', '5.1 GB'])
    const times = [12, 90, 3_590, 7_199, 7_320, 200_000].map(formatSeconds)
    expect(times).toEqual(['12 s', '2 min', '1 h', '2 h', '2 h 2 min', '2 days'])
    expect([plural(1, 'slot'), plural(1_200, 'slot')]).toEqual(['1 slot', '1,200 slots'])
  })

  const problem = { rung: 'cuda', why: 'the driver is too old', remedy: 'update the NVIDIA driver' }
  const backend = { rung: 'vulkan', card: 'NVIDIA H200', driver: '580.95', problems: [problem] }
  const seal = (problem: string) => ({ seal: { problem } })
  it.each<[string, Partial<DeviceStatus>, string]>([
    ['where models run', { backend }, 'info Models run on NVIDIA H200 (driver 580.95) with Vulkan'],
    [
      'what keeps them from a better back end',
      { backend },
      "warn Can't use CUDA: the driver is too old → update the NVIDIA driver",
    ],
    [
      'the fingerprint for sealed requests',
      { seal: { fingerprint: { words: 'able acid', hex: '0011 2233' } } },
      'info Takes sealed requests. Fingerprint: able acid (0011 2233)',
    ],
    ['why it takes none', seal('no room on the disk'), 'warn Takes no sealed requests: no room on the disk'],
    [
      'that administrators may change models and chat templates',
      { remoteChanges: { allowed: true } },
      'info Administrators may change models and chat templates here (see --remote-models)',
    ],
    [
      'that administrators may not change them',
      { remoteChanges: { allowed: false, why: 'its owner turned this off' } },
      "info Administrators can't change models or chat templates here (see --remote-models)",
    ],
  ])('says %s', (_what, change, line) => {
    expect(linesOf(change)).toContain(line)
  })

  it('describes the running app', () => {
    expect(describeLive(status)).toBe('● connected · loading c · 1 model ready · 1 of 4 slots busy · 1,200 answered')
    expect(linesOf({})).toEqual([
      'good studio: device app 0.1.0, running for 2 h (process 42)',
      'good Connected to https://hearth.example.com/ as device d',
      'good Serving is on',
      'good a: 1 of 4 slots busy, 8,192 tokens each (tools)',
      "bad b: can't serve this model: the file is cut short",
      'info c: loading',
      'info Jobs: 1 running, 1,200 answered, 0 failed, 2 stopped',
    ])
  })

  it('says when it tries to connect again', () => {
    const link = { name: 'waiting', why: 'the gateway is away', delayMs: 60_000 } as const
    const at = (time: string) => linesOf({ link, retryAt: '2026-11-15T12:00:40Z' }, time)[1]
    const what = 'bad Not connected to https://hearth.example.com/: the gateway is away'
    expect(at('2026-11-15T12:00:00Z')).toBe(`${what} (retrying in 40 s)`)
    expect(at('2026-11-15T12:00:41Z')).toBe(`${what} (retrying now)`)
  })

  it('says which requests are rejected because engines die on them, and how to accept them again', () => {
    const until = new Date(Date.parse(status.updatedAt) + 40 * 60_000).toISOString()
    const why = 'the engine stopped unexpectedly: SIGSEGV'
    const models = [{ name: 'a', state: 'serving', busy: 0, blocked: { requests: 2, why, until } } as const]
    expect(linesOf({ models })[4]).toBe(
      `warn a: rejects 2 requests for 40 min, because engines keep dying on them (${why}) → to accept them again: hearth-device unblock`,
    )
    expect(newsOf({ type: 'blocked', model: 'a', requests: 1, why, leftMs: 3_600_000 })).toBe(
      `warn a: rejects 1 request for 1 h, because engines keep dying on it (${why}) → to accept it again: hearth-device unblock`,
    )
  })

  it('says that kernels are being compiled, and how far that is', () => {
    const progress = { step: 'compiling', done: 3, total: 14 } as const
    const text = 'info a: compiling for this card (once), 3 of 14'
    expect(linesOf({ models: [{ name: 'a', state: 'loading', busy: 0, progress }] })[3]).toBe(text)
    const state = { name: 'loading', sinceMs: 0, progress } as const
    expect(newsOf({ type: 'model', name: 'a', state })).toBe(`${text}…`)
  })

  it('says what becomes of running jobs, and what became of them', () => {
    expect([
      newsOf({ type: 'handing-over', jobs: 2, waitMs: 120_000 }),
      newsOf({ type: 'handed-over', handedOver: 1, returned: 0, ended: 1 }),
      newsOf({ type: 'handed-over', handedOver: 0, returned: 2, ended: 0 }),
      linesOf({ jobs: { ...status.jobs, handedOver: 3 } }).at(-1),
    ]).toEqual([
      'info Handing 2 running jobs to other devices; what no device can take has 2 min to finish here',
      'good No more running jobs: 1 job handed to other devices, 1 job finished here',
      'warn No more running jobs: 2 jobs returned to the gateway unfinished',
      'info Jobs: 1 running, 1,200 answered, 0 failed, 2 stopped, 3 handed to other devices',
    ])
  })

  it('says which models are in memory and how long they stay', () => {
    const serving = { name: 'a', state: 'serving', busy: 0, slots: 1, contextLength: 8_192 } as const
    const models = [
      ...['30m', 'always', 'never'].map((keepAlive) => ({ ...serving, keepAlive })),
      { name: 'b', state: 'loadable', busy: 0, why: 'to make room for a', keepAlive: '30m' } as const,
    ]
    expect(linesOf({ models }).slice(3, 7)).toEqual([
      'good a: 0 of 1 slot busy, 8,192 tokens each (basic features only), unloads after 30m idle',
      'good a: 0 of 1 slot busy, 8,192 tokens each (basic features only), stays in memory',
      'good a: 0 of 1 slot busy, 8,192 tokens each (basic features only), unloads when idle',
      'info b: not in memory; loads when a request needs it',
    ])
    const unloaded = { type: 'model', name: 'b', state: { name: 'loadable' } } as const
    expect(describeNews(unloaded)?.text).toBe('b: loads when a request needs it')
    const moved = { ...unloaded, state: { name: 'loadable', why: 'to make room for a' } } as const
    expect(describeNews(moved)?.text).toBe('b: unloaded to make room for a')
  })

  it('says to log in again', () => {
    const why = 'this device was removed, or its credential is wrong'
    const state = { name: 'waiting', why, advice: 'run hearth-device login', delayMs: 300_000 } as const
    expect(newsOf({ type: 'link', state })).toBe(
      `warn Not connected: ${why} → run hearth-device login (retrying in 5 min)`,
    )
  })

  it('writes lines with a timestamp without a terminal, and never lets a name move the cursor', () => {
    const written: string[] = []
    const screen = createLogScreen({ write: (text) => written.push(text) }, () => new Date('2026-11-15T12:00:00Z'))
    screen.line('warn', 'evil\u001B[2J\nname')
    screen.live('never shown')
    expect(written).toEqual(['2026-11-15T12:00:00.000Z warn  evil [2J name\n'])
    expect(oneLine('a\r\nb\u202Ec')).toBe('a b c')
  })

  it('keeps one live line at the bottom of a terminal', () => {
    const written: string[] = []
    const screen = createScreen({ isTTY: true, columns: 30, write: (text) => written.push(text) })
    screen.live('x'.repeat(100))
    screen.line('info', 'news')
    screen.live(undefined)
    expect(written[0]).toBe('x'.repeat(29))
    expect(written[1]).toMatch(/^\r.*news\nx{29}$/s)
    expect(written).toHaveLength(3)
  })

  it('does not fill a log with progress', () => {
    const written: string[] = []
    let now = 0
    const screen = createScreen({ write: (text) => written.push(text) })
    const show = createPullPrinter(screen, false, () => now)
    const progress = { doneBytes: 1, bytesPerSecond: 1 }
    for (now = 0; now < 30_000; now += 100) show({ type: 'progress', label: 'm', progress })
    expect(written).toHaveLength(3)
  })
})
