import { describe, expect, it } from 'vitest'
import type { DeviceModel } from '@hearth/protocol'
import type { ModelEntry } from '../models/registry.ts'
import { createEchoEngine, ECHO_MODEL, type EchoEngine, type EchoOptions } from '../testing/echo-engine.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { createServing } from './serving.ts'

const entry = (name: string, fields: Partial<ModelEntry> = {}): ModelEntry => ({
  name,
  path: `/models/${name}.gguf`,
  source: name,
  bytes: 1,
  ...fields,
})
const model = (name: string): DeviceModel => ({ ...ECHO_MODEL, name })

function begin(options: (name: string) => EchoOptions = () => ({})) {
  const clock = createManualClock()
  const engines: EchoEngine[] = []
  const states: string[] = []
  let changes = 0
  const serving = createServing({
    kind: 'echo',
    clock,
    createEngine: ({ name }) => {
      const engine = createEchoEngine({ models: [model(name)], ...options(name) })
      engines.push(engine)
      return engine
    },
    onState: (name, state) => states.push(`${name} ${state.name}`),
  })
  serving.onChange(() => (changes += 1))
  const names = () => serving.models().map(({ name }) => name)
  return { clock, engines, states, serving, names, changes: () => changes }
}

describe('serving', () => {
  it('[U50] loads what is wanted and announces it when it is ready', async () => {
    const loaded = Promise.withResolvers<void>()
    const { serving, names, states, clock, changes } = begin((name) =>
      name === 'b' ? { start: () => loaded.promise } : {},
    )
    serving.sync([entry('a'), entry('b')])
    await clock.advance(0)
    expect(names()).toEqual(['a'])
    const before = changes()
    loaded.resolve()
    await clock.advance(0)
    expect(names()).toEqual(['a', 'b'])
    expect(changes()).toBeGreaterThan(before)
    expect(states).toEqual(['a loading', 'b loading', 'a serving', 'b serving'])
    await serving.stop()
    expect(names()).toEqual([])
  })

  it('[U50] follows the list: ends what is gone, keeps what is the same, loads anew what changed', async () => {
    const { serving, names, engines, clock } = begin()
    serving.sync([entry('a'), entry('b')])
    await clock.advance(0)
    serving.sync([entry('b', { slots: 4 }), entry('c')])
    await clock.advance(0)
    expect(names()).toEqual(['b', 'c'])
    expect(engines.map(({ isStopped }) => isStopped)).toEqual([true, true, false, false])
    serving.sync([entry('b', { slots: 4 }), entry('c')])
    await clock.advance(0)
    expect(engines).toHaveLength(4)
    await serving.stop()
  })

  it('[U51] tries a model that failed again, also one whose file had vanished', async () => {
    let isThere = false
    const { serving, names, clock } = begin(() => ({
      start: () => (isThere ? Promise.resolve() : Promise.reject(new Error('no such file'))),
    }))
    serving.sync([entry('a')])
    await clock.advance(4_999)
    expect(serving.states().get('a')).toEqual({ name: 'failed', why: 'no such file', retryInMs: 5_000 })
    isThere = true
    await clock.advance(1)
    expect(names()).toEqual(['a'])
    await serving.stop()
  })

  it('[U51] announces a crashed engine away until it is back, and replaces one that gave up', async () => {
    const { serving, names, engines, clock } = begin()
    serving.sync([entry('a')])
    await clock.advance(0)
    engines[0]!.serve([])
    engines[0]!.change({ type: 'engine-crashed', model: 'a', message: 'SIGSEGV', restartInMs: 100 })
    expect(names()).toEqual([])
    expect(serving.states().get('a')).toEqual({ name: 'restarting', why: 'SIGSEGV' })
    engines[0]!.serve([model('a')])
    engines[0]!.change({ type: 'engine-restarted', model: 'a' })
    expect(names()).toEqual(['a'])
    engines[0]!.change({ type: 'engine-gave-up', model: 'a', message: 'crashed too often' })
    await clock.advance(0)
    expect(serving.states().get('a')).toMatchObject({ name: 'failed', why: 'crashed too often' })
    await clock.advance(5_000)
    expect(names()).toEqual(['a'])
    expect(engines).toHaveLength(2)
    await serving.stop()
  })

  it('[U28] restarts an engine on demand: the old one is gone when the call returns', async () => {
    const { serving, names, engines, clock } = begin()
    serving.sync([entry('a')])
    await clock.advance(0)
    await serving.restart('a')
    expect(engines[0]!.isStopped).toBe(true)
    await clock.advance(0)
    expect(names()).toEqual(['a'])
    expect(engines).toHaveLength(2)
    await serving.restart('unknown')
    await serving.stop()
  })

  it('[U50] stops while a model is still being loaded', async () => {
    const { serving, clock, engines } = begin(() => ({
      start: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
        ),
    }))
    serving.sync([entry('a')])
    await clock.advance(0)
    await serving.stop()
    expect(engines[0]!.isStopped).toBe(true)
  })

  it('[U29] refuses a job for a model that is not there as retryable', () => {
    const { serving } = begin()
    const job = { model: 'x', messages: [] }
    expect(() => serving.run(job, new AbortController().signal, () => {})).toThrow(/being loaded/)
  })
})
