import type { ChatEvent, DeviceModel } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EngineProgress } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import { ECHO_MODEL, neverStarts, type EchoOptions } from '../testing/echo-engine.ts'
import { createManualClock, settle } from '../testing/manual-clock.ts'
import { createTightMemory } from '../testing/tight-memory.ts'
import type { ModelFacts } from './announce.ts'
import { Serving } from './serving.ts'
import { starting } from '../testing/starting.ts'

const HALF_AN_HOUR = 30 * 60_000
const entry = (name: string): ModelEntry => ({ name, path: `/models/${name}.gguf`, source: name, bytes: 1 })

interface Stage {
  room?: number
  keepAliveMs?: (name: string) => number
  usedAt?: Record<string, number>
  engine?: (name: string) => EchoOptions
}

function begin({ room = 1, keepAliveMs = () => HALF_AN_HOUR, usedAt = {}, engine = () => ({}) }: Stage = {}) {
  const clock = createManualClock()
  const memory = createTightMemory(room)
  const states: string[] = []
  const facts: ModelFacts = {
    recall: ({ name }) => ({ model: { ...ECHO_MODEL, name }, loadMs: 3_000 }),
    remember: () => undefined,
    usedAt: ({ name }) => usedAt[name],
  }
  const serving = new Serving({
    kind: 'echo',
    clock,
    startEngine: starting(({ name }) => memory.createEngine(name, engine(name))),
    onState: (name, state) => states.push(`${name} ${state.name}`),
    keepAliveMs: ({ name }) => keepAliveMs(name),
    facts,
  })
  onTestFinished(() => serving.stop())
  const announced = () => serving.models().map(({ name, state = 'loaded' }) => `${name} ${state}`)
  /** Models with these letters as their names, some time later. */
  const serve = (names: string, laterMs = 0): Promise<void> => {
    serving.sync(Array.from(names, (name) => entry(name)))
    return clock.advance(laterMs)
  }
  return { clock, memory, states, serving, serve, announced }
}

/** A job whose end, text and phases a test can look at. */
function ask(serving: Serving, model: string, text = 'hi') {
  const abort = new AbortController()
  const phases: string[] = []
  const report = ({ phase }: EngineProgress) => void phases.push(phase)
  const events: ChatEvent[] = []
  const job = { model, messages: [{ role: 'user' as const, content: text }] }
  const read = async () => {
    for await (const event of serving.run(job, abort.signal, report)) events.push(event)
    return events.length
  }
  const outcome = { value: 'open' }
  const done = read().then(
    () => void (outcome.value = 'answered'),
    (error: Error) => void (outcome.value = error.message),
  )
  return { abort, phases, events, outcome, done }
}

describe('models that do not all fit', () => {
  it('are all announced, those in memory first', async () => {
    const { serving, clock, announced } = begin()
    serving.sync([entry('a'), entry('b')])
    expect(announced()).toEqual(['a loadable', 'b loadable'])
    await clock.advance(0)
    expect(announced()).toEqual(['a loaded', 'b loadable'])
    expect(serving.models().find(({ name }) => name === 'b')).toMatchObject({ slots: 2, loadMs: 3_000 })
  })

  it('are loaded at the start as far as they fit, the most recently used first', async () => {
    const { memory, serve } = begin({ room: 2, usedAt: { b: -10, c: -5 } })
    await serve('abc')
    expect(memory.log).toEqual(['load c', 'load b'])
  })

  it('answer a job by making room: the job waits, and says that its model loads', async () => {
    const { serving, clock, memory, announced, states, serve } = begin()
    await serve('ab', 60_000)
    const job = ask(serving, 'b')
    await clock.advance(0)
    await job.done
    expect(job.outcome.value).toBe('answered')
    expect(job.phases.slice(0, 2)).toEqual(['loading', 'queued'])
    expect(memory.log).toEqual(['load a', 'unload a', 'load b'])
    expect(memory.most).toBe(1)
    expect(announced()).toEqual(['b loaded', 'a loadable'])
    expect(states.slice(2)).toEqual(['b loading', 'b loadable', 'b loading', 'a loadable', 'b serving'])
  })

  it('stay if they fit together', async () => {
    const { serving, memory, serve } = begin({ room: 2 })
    await serve('ab', 60_000)
    for (const name of ['a', 'b', 'a', 'b']) await ask(serving, name).done
    expect(memory.log).toEqual(['load a', 'load b'])
  })

  it('take turns while both have jobs: none of them starves, and none runs beside the other', async () => {
    const { serving, clock, memory, serve } = begin({
      engine: () => ({ before: () => clock.wait(1_000, new AbortController().signal) }),
    })
    await serve('ab')
    // Two clients that always have a request for their model.
    const answers = { a: 0, b: 0 }
    const over = new AbortController()
    const client = async (name: 'a' | 'b') => {
      while (!over.signal.aborted) {
        await ask(serving, name).done
        answers[name] += 1
      }
    }
    void client('a')
    void client('b')
    await clock.advance(100_000)
    over.abort()
    expect(answers.a).toBeGreaterThan(30)
    expect(answers.b).toBeGreaterThan(30)
    expect(memory.most).toBe(1)
    expect(memory.log.filter((line) => line.startsWith('load')).length).toBeLessThan(25)
  })

  it('stop making room when nobody waits any more', async () => {
    const { serving, clock, memory, serve } = begin({
      engine: () => ({ before: () => new Promise<void>(() => undefined) }),
    })
    await serve('ab')
    ask(serving, 'a')
    await clock.advance(60_000)
    const job = ask(serving, 'b')
    await clock.advance(1_000)
    expect(job.phases).toEqual(['loading'])
    job.abort.abort(new Error('the client left'))
    await clock.advance(0)
    expect(job.outcome.value).toBe('the client left')
    const next = ask(serving, 'a')
    await clock.advance(0)
    expect(next.phases).toEqual([])
    expect(memory.log).toEqual(['load a'])
  })
})

describe('keep-alive', () => {
  it('unloads a model that had no job for that long, and the next job loads it again', async () => {
    const { serving, clock, announced, serve } = begin()
    await serve('a', 60_000)
    await ask(serving, 'a').done
    await clock.advance(HALF_AN_HOUR - 1)
    expect(announced()).toEqual(['a loaded'])
    await clock.advance(1)
    expect(announced()).toEqual(['a loadable'])
    const job = ask(serving, 'a')
    await clock.advance(0)
    await job.done
    expect(job.outcome.value).toBe('answered')
    expect(announced()).toEqual(['a loaded'])
  })

  it('of never: the model is not loaded at the start, and leaves with its last job', async () => {
    const { serving, clock, memory, announced, serve } = begin({
      room: 2,
      keepAliveMs: (name) => (name === 'a' ? 0 : 1e9),
    })
    await serve('ab')
    expect(announced()).toEqual(['b loaded', 'a loadable'])
    const jobs = [ask(serving, 'a'), ask(serving, 'a')]
    await clock.advance(0)
    await Promise.all(jobs.map(({ done }) => done))
    await clock.advance(0)
    expect(memory.log).toEqual(['load b', 'load a', 'unload a'])
  })

  it('can be changed without loading the model again', async () => {
    const { serving, clock, memory, serve } = begin()
    await serve('a')
    serving.sync([{ ...entry('a'), keepAlive: '1m' }])
    await clock.advance(0)
    expect(memory.log).toEqual(['load a'])
  })
})

describe('a model that is removed', () => {
  it('while it loads: its jobs fail as retryable and say why', async () => {
    const { serving, clock, announced, serve } = begin({
      engine: (name) => (name === 'b' ? { start: neverStarts } : {}),
    })
    await serve('ab', 60_000)
    const job = ask(serving, 'b')
    await clock.advance(0)
    expect(announced()).toContain('b loading')
    serving.sync([entry('a')])
    await settle()
    expect(job.outcome.value).toBe('Model "b" was removed from the device')
  })

  it('while it answers: it takes no new jobs, finishes those it has, and is gone', async () => {
    const word = Promise.withResolvers<void>()
    const { serving, clock, memory, announced, serve } = begin({ engine: () => ({ before: () => word.promise }) })
    await serve('a')
    const job = ask(serving, 'a')
    await clock.advance(0)
    serving.sync([])
    await clock.advance(60_000)
    expect(announced()).toEqual([])
    expect(() => serving.run({ model: 'a', messages: [] }, job.abort.signal, () => {})).toThrow(/not loaded right now/)
    expect([...memory.present]).toEqual(['a'])
    word.resolve()
    await job.done
    expect(job.outcome.value).toBe('answered')
    await clock.advance(0)
    expect([...memory.present]).toEqual([])
  })
})

describe('a model that can not be loaded', () => {
  it('fails the jobs that wait for it, with the reason', async () => {
    const { serving, clock, announced, serve } = begin({
      engine: (name) => (name === 'b' ? { start: () => Promise.reject(new Error('the file is damaged')) } : {}),
    })
    await serve('ab', 60_000)
    const job = ask(serving, 'b')
    await clock.advance(0)
    expect(job.outcome.value).toBe('Model "b" can\'t be loaded: the file is damaged')
    expect(announced()).toEqual(['a loadable'])
  })

  it('has other features than expected: the job goes back to the gateway', async () => {
    const plain: DeviceModel = { ...ECHO_MODEL, name: 'b', features: [] }
    const { serving, clock, serve } = begin({ engine: (name) => (name === 'b' ? { models: [plain] } : {}) })
    await serve('ab', 60_000)
    const job = { model: 'b', messages: [{ role: 'user' as const, content: 'hi' }], n: 2 }
    const events = serving.run(job, new AbortController().signal, () => undefined)
    const reading = Array.fromAsync(events)
    const failure = expect(reading).rejects.toMatchObject({ retryable: true })
    await clock.advance(0)
    await failure
  })
})
