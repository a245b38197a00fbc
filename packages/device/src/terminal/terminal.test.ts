import { describe, expect, it } from 'vitest'
import { ECHO_MODEL } from '../testing/echo-engine.ts'
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

describe('terminal output', () => {
  it('shows bytes, speed and time left of a download', () => {
    expect(
      describeDownload({ doneBytes: 12_345_678, totalBytes: 98_362_432, bytesPerSecond: 5_100_000, secondsLeft: 17 }),
    ).toBe('12.3 MB of 98.4 MB · 12% · 5.1 MB/s · 17 s left')
    expect(describeDownload({ doneBytes: 500, bytesPerSecond: 0 })).toBe('500 B · 0 B/s')
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [123_456_789, '123 MB'],
    [5_100_000_000, '5.1 GB'],
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it('formats times and counts', () => {
    expect([12, 90, 3_590, 7_199, 7_320, 200_000].map(formatSeconds)).toEqual([
      '12 s',
      '2 min',
      '1 h',
      '2 h',
      '2 h 2 min',
      '2 days',
    ])
    expect([plural(1, 'slot'), plural(1_200, 'slot')]).toEqual(['1 slot', '1,200 slots'])
  })

  it('says where models run, and what keeps them from a better back end', () => {
    const problem = { rung: 'cuda', why: 'the driver is too old', remedy: 'update the NVIDIA driver' }
    const backend = { rung: 'vulkan', card: 'NVIDIA H200', driver: '580.95', problems: [problem] }
    const lines = describeStatus({ ...status, backend }, new Date(status.updatedAt))
    expect(lines).toContainEqual({ level: 'info', text: 'Models run on NVIDIA H200 (driver 580.95) with Vulkan' })
    const text = "Can't use CUDA: the driver is too old → update the NVIDIA driver"
    expect(lines).toContainEqual({ level: 'warn', text })
  })

  it('shows the fingerprint for sealed requests, or why it takes none', () => {
    const told = [{ fingerprint: { words: 'able acid', hex: '0011 2233' } }, { problem: 'no room on the disk' }].map(
      (seal) => describeStatus({ ...status, seal }, new Date(status.updatedAt)).at(3),
    )
    expect(told).toEqual([
      { level: 'info', text: 'Takes sealed requests. Fingerprint: able acid (0011 2233)' },
      { level: 'warn', text: 'Takes no sealed requests: no room on the disk' },
    ])
  })

  it('[U93] says whether administrators may change models and chat templates', () => {
    const told = [{ allowed: true } as const, { allowed: false, why: 'its owner turned this off' } as const].map(
      (remoteChanges) => describeStatus({ ...status, remoteChanges }, new Date(status.updatedAt)).at(3)?.text,
    )
    expect(told).toEqual([
      'Administrators may change models and chat templates here (see --remote-models)',
      "Administrators can't change models or chat templates here (see --remote-models)",
    ])
  })

  it('describes the running app', () => {
    expect(describeLive(status)).toBe('● connected · loading c · 1 model ready · 1 of 4 slots busy · 1,200 answered')
    expect(describeStatus(status, new Date(status.updatedAt)).map(({ level, text }) => `${level} ${text}`)).toEqual([
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
    const at = (time: string) =>
      describeStatus({ ...status, link, retryAt: '2026-11-15T12:00:40Z' }, new Date(time)).at(1)?.text
    const what = 'Not connected to https://hearth.example.com/: the gateway is away'
    expect([at('2026-11-15T12:00:00Z'), at('2026-11-15T12:00:41Z')]).toEqual([
      `${what} (retrying in 40 s)`,
      `${what} (retrying now)`,
    ])
  })

  it('says which requests are rejected because engines die on them, and how to accept them again', () => {
    const until = new Date(Date.parse(status.updatedAt) + 40 * 60_000).toISOString()
    const blocked = { requests: 2, why: 'the engine stopped unexpectedly: SIGSEGV', until }
    const models = [{ name: 'a', state: 'serving', busy: 0, blocked } as const]
    const text =
      'a: rejects 2 requests for 40 min, because engines keep dying on them (the engine stopped unexpectedly: SIGSEGV) → to accept them again: hearth-device unblock'
    expect(describeStatus({ ...status, models }, new Date(status.updatedAt)).at(4)).toEqual({ level: 'warn', text })
    const { why } = blocked
    expect(describeNews({ type: 'blocked', model: 'a', requests: 1, why, leftMs: 3_600_000 })?.text).toBe(
      `a: rejects 1 request for 1 h, because engines keep dying on it (${why}) → to accept it again: hearth-device unblock`,
    )
  })

  it('says that kernels are being compiled, and how far that is', () => {
    const progress = { step: 'compiling', done: 3, total: 14 } as const
    const models = [{ name: 'a', state: 'loading', busy: 0, progress } as const]
    const text = 'a: compiling for this card (once), 3 of 14'
    expect(describeStatus({ ...status, models }, new Date(status.updatedAt)).at(3)).toEqual({ level: 'info', text })
    const state = { name: 'loading', sinceMs: 0, progress } as const
    expect(describeNews({ type: 'model', name: 'a', state })).toEqual({ level: 'info', text: `${text}…` })
  })

  it('[U40] says what becomes of running jobs, and what became of them', () => {
    const told = [
      describeNews({ type: 'handing-over', jobs: 2, waitMs: 120_000 }),
      describeNews({ type: 'handed-over', handedOver: 1, returned: 0, ended: 1 }),
      describeNews({ type: 'handed-over', handedOver: 0, returned: 2, ended: 0 }),
      describeStatus({ ...status, jobs: { ...status.jobs, handedOver: 3 } }, new Date(status.updatedAt)).at(-1),
    ]
    expect(told).toEqual([
      {
        level: 'info',
        text: 'Handing 2 running jobs to other devices; what no device can take has 2 min to finish here',
      },
      { level: 'good', text: 'No more running jobs: 1 job handed to other devices, 1 job finished here' },
      { level: 'warn', text: 'No more running jobs: 2 jobs returned to the gateway unfinished' },
      {
        level: 'info',
        text: 'Jobs: 1 running, 1,200 answered, 0 failed, 2 stopped, 3 handed to other devices',
      },
    ])
  })

  it('says which models are in memory and how long they stay', () => {
    const serving = { name: 'a', state: 'serving', busy: 0, slots: 1, contextLength: 8_192 } as const
    const models = [
      { ...serving, keepAlive: '30m' },
      { ...serving, keepAlive: 'always' },
      { ...serving, keepAlive: 'never' },
      { name: 'b', state: 'loadable', busy: 0, why: 'to make room for a', keepAlive: '30m' } as const,
    ]
    const lines = describeStatus({ ...status, models }, new Date(status.updatedAt)).map(({ text }) => text)
    expect(lines.slice(3, 7)).toEqual([
      'a: 0 of 1 slot busy, 8,192 tokens each (basic features only), unloads after 30m idle',
      'a: 0 of 1 slot busy, 8,192 tokens each (basic features only), stays in memory',
      'a: 0 of 1 slot busy, 8,192 tokens each (basic features only), unloads when idle',
      'b: not in memory; loads when a request needs it',
    ])
    const news = (why?: string) =>
      describeNews({ type: 'model', name: 'b', state: { name: 'loadable', ...(why !== undefined && { why }) } })?.text
    expect([news(), news('to make room for a')]).toEqual([
      'b: loads when a request needs it',
      'b: unloaded to make room for a',
    ])
  })

  it('[U12] says to log in again', () => {
    const link = {
      name: 'waiting',
      why: 'this device was removed, or its credential is wrong',
      advice: 'run hearth-device login',
      delayMs: 300_000,
    } as const
    expect(describeNews({ type: 'link', state: link })).toEqual({
      level: 'warn',
      text: 'Not connected: this device was removed, or its credential is wrong → run hearth-device login (retrying in 5 min)',
    })
    expect(describeNews({ type: 'model', name: 'm', state: { name: 'serving', model: ECHO_MODEL } })?.text).toContain(
      '2 slots',
    )
  })

  it('[U46] writes lines with a timestamp without a terminal, and never lets a name move the cursor', () => {
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
