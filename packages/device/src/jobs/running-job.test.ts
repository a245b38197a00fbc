import { describe, expect, it } from 'vitest'
import { EngineError } from '../engines/engine.ts'
import { settle } from '../testing/manual-clock.ts'
import { at, beginRunner as begin, jobError, KINDS, stopSlowly, type BenchOptions } from '../testing/runner-bench.ts'
import { ENGINE_SILENT_MS, STOP_MS } from './running-job.ts'

describe.each(KINDS)('a $kind job that ends early', ({ isSealed }) => {
  const beginRunner = (options: BenchOptions = {}) => begin({ ...options, isSealed })

  it('that is canceled is confirmed once the engine has stopped, and sends nothing after that', async () => {
    const letGo = Promise.withResolvers<void>()
    const { start, runner, link, clock, frames, engine } = beginRunner({
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

  it('that is canceled drops the text that was still held back', async () => {
    const { start, runner, link, clock, frames, text } = beginRunner({
      before: (index, signal) => (index === 2 ? stopSlowly(signal, Promise.resolve()) : undefined),
    })
    await start()
    runner.receive({ type: 'job-cancel', ...at, reason: 'client-gone' }, link)
    await clock.advance(100)
    expect(frames.at(-1)).toEqual({ type: 'job-cancelled', ...at })
    expect(text()).toBe('one ')
  })

  it('that is not running here is confirmed as canceled right away', async () => {
    const { runner, link, frames, start, text } = beginRunner()
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', parts: 2 }, link)
    runner.receive({ type: 'job-cancel', ...at, reason: 'timed-out' }, link)
    runner.receive({ type: 'job-part', ...at, index: 0, text: '' }, link)
    expect(frames).toEqual([{ type: 'job-cancelled', ...at }])
    await start({ job: 'after', content: 'the next one' })
    expect(text()).toBe('the next one')
  })

  it('that the engine does not stop within five seconds gets the engine restarted, and then the slot is free', async () => {
    const never = new Promise<void>(() => {})
    const { start, runner, link, clock, frames, state } = beginRunner({
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

  it('on an engine that hangs fails as retryable, and the engine is restarted', async () => {
    const never = new Promise<void>(() => {})
    const { start, clock, frames, state } = beginRunner({ before: () => never })
    await start()
    await clock.advance(ENGINE_SILENT_MS + STOP_MS)
    expect(state.restarted).toEqual(['echo'])
    expect(frames.at(-1)).toMatchObject({ type: 'job-error', code: 'failed', retryable: true, crashed: false })
  })

  it('that the engine fails on ends with the error of the engine', async () => {
    const failure = new EngineError('context_length_exceeded', 'too long', { param: 'messages' })
    const { start, frames, state } = beginRunner({
      before: (index) => (index === 2 ? Promise.reject(failure) : undefined),
    })
    await start()
    expect(frames.at(-1)).toEqual({
      ...jobError('context_length_exceeded', 'too long', { retryable: false }),
      param: 'messages',
    })
    expect(state.outcomes).toEqual(['failed'])
    expect(frames.filter((frame) => frame.type === 'job-delta').length).toBeGreaterThan(0)
  })

  it('never shows the text of an unexpected error', async () => {
    const { start, frames } = beginRunner({ before: () => Promise.reject(new Error('one two three')) })
    await start()
    expect(frames.at(-1)).toMatchObject({ type: 'job-error', message: 'The engine failed', retryable: true })
  })

  it('ends silently when the link is gone, and keeps its slot until the engine has stopped', async () => {
    const letGo = Promise.withResolvers<void>()
    const { start, runner, clock, frames } = beginRunner({
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
})
