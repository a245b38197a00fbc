import { describe, expect, it } from 'vitest'
import type { ChatJob, DeviceFrame, DeviceModel, JobStart } from '@hearth/protocol'
import { EngineError } from '../engines/engine.ts'
import { createEchoEngine, ECHO_MODEL, type EchoOptions } from '../testing/echo-engine.ts'
import { createManualClock, settle } from '../testing/manual-clock.ts'
import { JobRunner } from './job-runner.ts'
import { ENGINE_SILENT_MS, STOP_MS, type Outcome } from './running-job.ts'

function begin(options: EchoOptions & { models?: DeviceModel[] } = {}) {
  const engine = createEchoEngine(options)
  const clock = createManualClock()
  const frames: DeviceFrame[] = []
  const state = {
    takesJobs: true,
    restarted: [] as string[],
    outcomes: [] as Outcome[],
    restart: () => Promise.resolve(),
  }
  let full: PromiseWithResolvers<void> | undefined
  const link = { send: (frame: DeviceFrame) => frames.push(frame), room: () => full?.promise, close: () => {} }
  const runner = new JobRunner({
    engine,
    models: () => engine.models(),
    organization: () => 'organization-1',
    takesJobs: () => state.takesJobs,
    restartEngine: (model) => {
      state.restarted.push(model)
      return state.restart()
    },
    clock,
    onChange: ({ outcome }) => outcome !== undefined && state.outcomes.push(outcome),
    onStuck: () => {},
  })
  const start = (
    fields: Partial<JobStart> & { content?: string; job?: string } = {},
    request: Partial<ChatJob> = {},
  ) => {
    const { content = 'one two three', ...rest } = fields
    const frame: JobStart = {
      type: 'job-start',
      job: 'job-1',
      attempt: 0,
      organization: 'organization-1',
      request: { model: 'echo', messages: [{ role: 'user', content }], ...request },
      ...rest,
    }
    runner.receive(frame, link)
    return settle()
  }
  const types = () => frames.map((frame) => frame.type)
  const text = () => frames.map((frame) => (frame.type === 'job-delta' ? frame.text : '')).join('')
  const fill = () => (full = Promise.withResolvers())
  const drain = () => {
    full?.resolve()
    full = undefined
  }
  return { engine, clock, frames, state, link, runner, start, types, text, fill, drain }
}

const at = { job: 'job-1', attempt: 0 }
/** Holds the engine before a word until it is let go. */
function holdAt(word: number) {
  const gate = Promise.withResolvers<void>()
  return {
    release: gate.resolve,
    before: (index: number, signal: AbortSignal): Promise<void> => {
      if (index !== word) return Promise.resolve()
      const stopped = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => stopped.resolve(), { once: true })
      return Promise.race([gate.promise, stopped.promise])
    },
  }
}

describe('a job', () => {
  it('[U17] is accepted, answered in order and ended with its usage', async () => {
    const { start, clock, text, frames, types } = begin()
    await start()
    await clock.advance(20)
    expect(types()[0]).toBe('job-accept')
    expect(text()).toBe('one two three')
    expect(frames.at(-1)).toMatchObject({ ...at, type: 'job-end', finishes: ['stop'], usage: { completionTokens: 3 } })
    const numbered = frames.flatMap((frame) => ('sequence' in frame ? [frame.sequence] : []))
    expect(numbered).toEqual(numbered.map((_, index) => index))
  })

  it('[U17] may come in parts', async () => {
    const { start, runner, link, text, types } = begin()
    const request = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'a long request' }] })
    const halves = [request.slice(0, 20), request.slice(20)]
    const { ...frame } = { type: 'job-start' as const, ...at, organization: 'organization-1', parts: 2 }
    runner.receive(frame, link)
    halves.forEach((part, index) => runner.receive({ type: 'job-part', ...at, index, text: part }, link))
    await settle()
    expect(text()).toBe('a long request')
    expect(types().filter((type) => type === 'job-accept')).toHaveLength(1)
    await start({ job: 'next' })
    expect(types()).toContain('job-accept')
  })

  it('[U15] counts as a broken gateway when its parts are out of order', () => {
    const { runner, link } = begin()
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', parts: 2 }, link)
    expect(() => runner.receive({ type: 'job-part', ...at, index: 1, text: '' }, link)).toThrow(/goes up by one/)
    expect(() =>
      runner.receive({ type: 'job-start', job: 'x', attempt: 0, organization: 'organization-1' }, link),
    ).toThrow()
  })

  it('[U18] of another organization is refused', async () => {
    const { start, frames, engine } = begin()
    await start({ organization: 'organization-2' })
    expect(frames).toEqual([{ type: 'job-refuse', ...at, reason: 'wrong-organization' }])
    expect(engine.produced).toBe(0)
  })

  it('[U18] is refused while draining, for an unknown model, for a missing feature and when every slot is taken', async () => {
    const held = holdAt(0)
    const { start, frames, state } = begin({ before: held.before })
    await start({ job: 'a' })
    await start({ job: 'b' })
    await start({ job: 'c' })
    await start({ job: 'd' }, { model: 'other' })
    await start({ job: 'e' }, { logitBias: { '1': 1 } })
    state.takesJobs = false
    await start({ job: 'f' })
    expect(frames.flatMap((frame) => (frame.type === 'job-refuse' ? [`${frame.job} ${frame.reason}`] : []))).toEqual([
      'c busy',
      'd not-loaded',
      'e unsupported',
      'f draining',
    ])
    held.release()
  })

  it('[U18] that was refused may be offered again with the same attempt', async () => {
    const { start, state, types } = begin()
    state.takesJobs = false
    await start()
    state.takesJobs = true
    await start()
    expect(types().slice(0, 2)).toEqual(['job-refuse', 'job-accept'])
  })

  it('[U19] that is started twice runs once', async () => {
    const held = holdAt(1)
    const { start, engine, types, clock } = begin({ before: held.before })
    await start()
    await start()
    expect(types().filter((type) => type === 'job-accept')).toHaveLength(2)
    expect(engine.running).toBe(1)
    held.release()
    await clock.advance(20)
    await start()
    expect(engine.produced).toBe(3)
    await start({ attempt: 1 })
    expect(engine.produced).toBe(6)
  })

  it('[U25] that is paused is not pulled, and goes on where it was', async () => {
    const { start, runner, link, engine, text, clock } = begin({
      before: (index) => {
        if (index === 2) runner.receive({ type: 'job-pause', ...at }, link)
      },
    })
    await start({ content: 'a b c d e' })
    await clock.advance(60_000)
    expect(engine.produced).toBe(3)
    runner.receive({ type: 'job-resume', ...at }, link)
    await clock.advance(20)
    expect(text()).toBe('a b c d e')
  })

  it('[U21] is not pulled while the line is full', async () => {
    const { start, engine, fill, drain, clock, text } = begin()
    fill()
    await start({ content: 'a b c d e' })
    await clock.advance(1_000)
    expect(engine.produced).toBe(1)
    drain()
    await clock.advance(20)
    expect(text()).toBe('a b c d e')
  })

  it('[U26] shows at least every two seconds that it is alive', async () => {
    const held = holdAt(1)
    const { start, clock, frames } = begin({
      before: (index, signal, report) => {
        if (index === 1) report({ phase: 'prompt', done: 128, total: 512 })
        return held.before(index, signal)
      },
    })
    await start()
    await clock.advance(10_000)
    const progress = frames.filter((frame) => frame.type === 'job-progress')
    expect(progress.length).toBeGreaterThanOrEqual(5)
    expect(progress.at(-1)).toMatchObject({ ...at, phase: 'prompt', done: 128, total: 512 })
    held.release()
    await clock.advance(20)
    const length = frames.length
    await clock.advance(10_000)
    expect(frames).toHaveLength(length)
  })

  it('[U27] that is cancelled is confirmed once the engine has let go, and says nothing after that', async () => {
    const letGo = Promise.withResolvers<void>()
    const { start, runner, link, clock, frames, engine } = begin({
      before: (index, signal) => (index === 1 ? stopSlowly(signal, letGo.promise) : undefined),
    })
    await start()
    runner.receive({ type: 'job-cancel', ...at, reason: 'client-gone' }, link)
    runner.receive({ type: 'job-cancel', ...at, reason: 'client-gone' }, link)
    await clock.advance(1_000)
    expect(frames.map((frame) => frame.type)).not.toContain('job-cancelled')
    expect(runner.running).toBe(1)
    letGo.resolve()
    await clock.advance(20)
    expect(frames.at(-1)).toEqual({ type: 'job-cancelled', ...at })
    expect(frames.filter((frame) => frame.type === 'job-cancelled')).toHaveLength(1)
    expect(engine.running).toBe(0)
    expect(runner.running).toBe(0)
  })

  it('[U27] that is not running here is confirmed as cancelled at once', async () => {
    const { runner, link, frames, start } = begin()
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', parts: 2 }, link)
    runner.receive({ type: 'job-cancel', ...at, reason: 'timed-out' }, link)
    runner.receive({ type: 'job-part', ...at, index: 0, text: '' }, link)
    expect(frames).toEqual([{ type: 'job-cancelled', ...at }])
    await start({ job: 'after' })
  })

  it('[U28] that the engine does not let go within five seconds costs the engine, and then the slot is free', async () => {
    const never = new Promise<void>(() => {})
    const { start, runner, link, clock, frames, state } = begin({
      before: (index) => (index === 1 ? never : undefined),
    })
    const restarted = Promise.withResolvers<void>()
    state.restart = () => restarted.promise
    await start()
    runner.receive({ type: 'job-cancel', ...at, reason: 'client-gone' }, link)
    await clock.advance(STOP_MS - 1)
    expect(state.restarted).toEqual([])
    await clock.advance(1)
    expect(state.restarted).toEqual(['echo'])
    expect(runner.running).toBe(1)
    restarted.resolve()
    await settle()
    expect(frames.at(-1)).toEqual({ type: 'job-cancelled', ...at })
    expect(runner.running).toBe(0)
  })

  it('[U28] on an engine that hangs fails as retryable, and costs the engine', async () => {
    const never = new Promise<void>(() => {})
    const { start, clock, frames, state } = begin({ before: () => never })
    await start()
    await clock.advance(ENGINE_SILENT_MS + STOP_MS)
    expect(state.restarted).toEqual(['echo'])
    expect(frames.at(-1)).toMatchObject({ type: 'job-error', code: 'failed', retryable: true, crashed: false })
  })

  it('[U29] that the engine fails on ends with the error of the engine', async () => {
    const failure = new EngineError('context_length_exceeded', 'too long', { param: 'messages' })
    const { start, frames, state } = begin({ before: (index) => (index === 2 ? Promise.reject(failure) : undefined) })
    await start()
    expect(frames.at(-1)).toEqual({
      type: 'job-error',
      ...at,
      code: 'context_length_exceeded',
      message: 'too long',
      retryable: false,
      crashed: false,
      param: 'messages',
    })
    expect(state.outcomes).toEqual(['failed'])
    expect(frames.filter((frame) => frame.type === 'job-delta').length).toBeGreaterThan(0)
  })

  it('[U29] never shows what an unexpected error says', async () => {
    const { start, frames } = begin({ before: () => Promise.reject(new Error('one two three')) })
    await start()
    expect(frames.at(-1)).toMatchObject({ type: 'job-error', message: 'The engine failed', retryable: true })
  })

  it('[U22] ends without a word when the link is gone, and keeps its slot until the engine lets go', async () => {
    const letGo = Promise.withResolvers<void>()
    const { start, runner, clock, frames } = begin({
      before: (index, signal) => (index === 1 ? stopSlowly(signal, letGo.promise) : undefined),
    })
    await start()
    const length = frames.length
    runner.linkGone()
    await settle()
    expect(runner.runningOn('echo')).toBe(1)
    letGo.resolve()
    await clock.advance(100)
    expect(runner.running).toBe(0)
    expect(frames).toHaveLength(length)
  })

  it('[U30] does not report usage on a device that does not count', async () => {
    const { start, frames } = begin({ models: [{ ...ECHO_MODEL, features: [] }] })
    await start()
    expect(frames.at(-1)).toEqual({ type: 'job-end', ...at, sequence: expect.any(Number), finishes: ['stop'] })
  })

  it('[U16] is given back as retryable when the device leaves before it is done', async () => {
    const held = holdAt(1)
    const { start, runner, frames } = begin({ before: held.before })
    await start()
    const idle = runner.idle()
    runner.stopAll('leaving')
    await idle
    expect(frames.at(-1)).toMatchObject({ type: 'job-error', retryable: true })
  })
})

async function stopSlowly(signal: AbortSignal, letGo: Promise<void>): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => stopped.resolve(), { once: true })
  await stopped.promise
  await letGo
}
