import { describe, expect, it } from 'vitest'
import type { DeviceFrame } from '@hearth/protocol'
import { MOST_ARRIVING, MOST_BEGUN } from './job-runner.ts'
import { ECHO_MODEL } from '../testing/echo-engine.ts'
import { settle } from '../testing/manual-clock.ts'
import { at, beginRunner as begin, holdAt, KINDS, type BenchOptions } from '../testing/runner-bench.ts'

describe.each(KINDS)('a $kind job', ({ isSealed }) => {
  const beginRunner = (options: BenchOptions = {}) => begin({ ...options, isSealed })

  it('is accepted, answered in order and ends with its usage', async () => {
    const { start, clock, text, frames, types } = beginRunner()
    await start()
    await clock.advance(20)
    expect(types()[0]).toBe('job-accept')
    expect(text()).toBe('one two three')
    expect(frames.at(-1)).toMatchObject({ ...at, type: 'job-end', finishes: ['stop'], usage: { completionTokens: 3 } })
    const numbered = frames.flatMap((frame) => ('sequence' in frame ? [frame.sequence] : []))
    expect(numbered).toEqual(numbered.map((_, index) => index))
  })

  it('may come in parts', async () => {
    const { start, runner, link: bench, text, types, seal } = beginRunner()
    const accepted = Promise.withResolvers<void>()
    const send = (frame: DeviceFrame): void => {
      bench.send(frame)
      if (frame.type === 'job-accept') accepted.resolve()
    }
    const link = { ...bench, send }
    const job = { model: 'echo', messages: [{ role: 'user' as const, content: 'a long request' }] }
    const request = JSON.stringify(await seal(job))
    const halves = [request.slice(0, 20), request.slice(20)]
    const { ...frame } = { type: 'job-start' as const, ...at, organization: 'organization-1', parts: 2 }
    runner.receive(frame, link)
    halves.forEach((part, index) => runner.receive({ type: 'job-part', ...at, index, text: part }, link))
    await accepted.promise
    await settle()
    expect(text()).toBe('a long request')
    expect(types().filter((type) => type === 'job-accept')).toHaveLength(1)
    await start({ job: 'next' })
    expect(types()).toContain('job-accept')
  })

  it('is refused if too much of others is arriving, however little of each', () => {
    const { runner, link, frames } = beginRunner()
    const begun = (job: string) => ({ job, attempt: 1 })
    const startParts = (job: string) =>
      runner.receive({ type: 'job-start', ...begun(job), organization: 'organization-1', parts: 9_999 }, link)
    const refused = () =>
      frames.flatMap((frame) => (frame.type === 'job-refuse' ? [`${frame.job} ${frame.reason}`] : []))
    for (let index = 0; index <= MOST_BEGUN; index++) startParts(`j${index}`)
    expect(refused()).toEqual([`j${MOST_BEGUN} busy`])
    const half = 'x'.repeat(MOST_ARRIVING / 2)
    for (const job of ['j0', 'j1', 'j2'])
      runner.receive({ type: 'job-part', ...begun(job), index: 0, text: half }, link)
    expect(refused()).toEqual([`j${MOST_BEGUN} busy`, 'j2 busy'])
    runner.receive({ type: 'job-part', ...begun('j2'), index: 1, text: half }, link)
    startParts('next')
    expect(refused()).toHaveLength(2)
  })

  it('ends the link if its parts together are no request', async () => {
    const { runner, link } = beginRunner()
    const closed = Promise.withResolvers<void>()
    const broken = { ...link, close: () => closed.resolve() }
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', parts: 1 }, broken)
    runner.receive({ type: 'job-part', ...at, index: 0, text: '{"model":' }, broken)
    await closed.promise
  })

  it('ends the link if its parts are out of order', () => {
    const { runner, link } = beginRunner()
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', parts: 2 }, link)
    expect(() => runner.receive({ type: 'job-part', ...at, index: 1, text: '' }, link)).toThrow(/"index" must be 0/)
    runner.receive({ type: 'job-part', ...at, index: 0, text: '' }, link)
    expect(() => runner.receive({ type: 'job-part', ...at, index: 0, text: '' }, link)).toThrow(/"index" must be 1/)
  })

  it('of another organization is refused', async () => {
    const { start, frames, engine } = beginRunner()
    await start({ organization: 'organization-2' })
    expect(frames).toEqual([{ type: 'job-refuse', ...at, reason: 'wrong-organization' }])
    expect(engine.produced).toBe(0)
  })

  it('is refused while draining, for an unknown model, for a missing feature and when every slot is taken', async () => {
    const held = holdAt(0)
    const { start, frames, state } = beginRunner({ before: held.before })
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

  it('that was refused may be offered again with the same attempt', async () => {
    const { start, state, types } = beginRunner()
    state.takesJobs = false
    await start()
    state.takesJobs = true
    await start()
    expect(types().slice(0, 2)).toEqual(['job-refuse', 'job-accept'])
  })

  it('that is started twice runs once', async () => {
    const held = holdAt(1)
    const { start, engine, types, clock, sealed } = beginRunner({ before: held.before })
    await start()
    await start()
    expect(types().filter((type) => type === 'job-accept')).toHaveLength(2)
    expect(engine.running).toBe(1)
    held.release()
    await clock.advance(20)
    await start()
    expect(engine.produced).toBe(3)
    sealed.client.restart(at.job)
    await start({ attempt: 1 })
    expect(engine.produced).toBe(6)
  })

  it('that is paused continues where it stopped', async () => {
    const { start, runner, link, engine, text, clock } = beginRunner({
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

  it('stops generating while the connection is congested', async () => {
    const { start, engine, fill, drain, clock, text } = beginRunner()
    fill()
    await start({ content: 'a b c d e' })
    await clock.advance(1_000)
    expect(engine.produced).toBe(1)
    drain()
    await clock.advance(20)
    expect(text()).toBe('a b c d e')
  })

  it('shows at least every two seconds that it is alive', async () => {
    const held = holdAt(1)
    const { start, clock, frames } = beginRunner({
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

  it('does not report usage if that feature is off', async () => {
    const { start, frames } = beginRunner({ models: [{ ...ECHO_MODEL, features: [] }] })
    await start()
    expect(frames.at(-1)).toEqual({ type: 'job-end', ...at, sequence: expect.any(Number), finishes: ['stop'] })
  })
})
