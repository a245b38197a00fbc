import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChatJob, DeviceModel } from '@hearth/protocol'
import type { ModelEntry } from '../models/registry/registry.ts'
import { askEngine } from '../engines/testing/collect-reply.ts'
import { createEchoEngine, ECHO_MODEL, neverStarts, type EchoEngine, type EchoOptions } from '../testing/echo-engine.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { ModelFacts } from './announce.ts'
import { Serving, type ServingOptions } from './serving.ts'
import { starting } from '../testing/starting.ts'

const entry = (name: string, fields: Partial<ModelEntry> = {}): ModelEntry => ({
  name,
  path: `/models/${name}.gguf`,
  source: name,
  bytes: 1,
  ...fields,
})
const model = (name: string): DeviceModel => ({ ...ECHO_MODEL, name })
const asking = (content: string): ChatJob => ({ model: 'a', messages: [{ role: 'user', content }] })

function begin(options: (name: string) => EchoOptions = () => ({}), more: Partial<ServingOptions> = {}) {
  const clock = createManualClock()
  const engines: EchoEngine[] = []
  const states: string[] = []
  const laters: string[][] = []
  let changes = 0
  const serving = new Serving({
    kind: 'echo',
    clock,
    startEngine: starting(({ name }, later) => {
      laters.push(later.map((other) => other.name))
      const engine = createEchoEngine({ models: [model(name)], ...options(name) })
      engines.push(engine)
      return engine
    }),
    onState: (name, state) => states.push(`${name} ${state.name}`),
    ...more,
  })
  onTestFinished(() => serving.stop())
  serving.onChange(() => (changes += 1))
  const names = () => serving.models().map(({ name }) => name)
  return { clock, engines, states, laters, serving, names, changes: () => changes }
}

describe('serving', () => {
  it('loads the models on the list and announces each when it is ready', async () => {
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
    expect(states).toEqual(['a loading', 'a serving', 'b loading', 'b serving'])
    await serving.stop()
    expect(names()).toEqual([])
  })

  it('follows the list: stops removed models, keeps unchanged ones, reloads changed ones', async () => {
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
  })

  it('loads one model after the other, and says which are still to come', async () => {
    const loaded = new Map(['a', 'b', 'c'].map((name) => [name, Promise.withResolvers<void>()]))
    const { serving, engines, laters, clock } = begin((name) => ({ start: () => loaded.get(name)!.promise }))
    serving.sync([entry('a'), entry('b'), entry('c')])
    for (const [count, name] of ['a', 'b', 'c'].entries()) {
      await clock.advance(0)
      expect(engines).toHaveLength(count + 1)
      if (name === 'b') loaded.get('b')!.reject(new Error('too large'))
      else loaded.get(name)!.resolve()
    }
    await clock.advance(0)
    expect(laters).toEqual([['b', 'c'], ['c'], []])
  })

  it('lets the others load if a model is removed while it waits for its turn', async () => {
    const loaded = Promise.withResolvers<void>()
    const { serving, names, clock } = begin((name) => (name === 'a' ? { start: () => loaded.promise } : {}))
    serving.sync([entry('a'), entry('b'), entry('c')])
    await clock.advance(0)
    serving.sync([entry('a'), entry('c')])
    await clock.advance(0)
    loaded.resolve()
    await clock.advance(0)
    expect(names()).toEqual(['a', 'c'])
  })

  it('withdraws a crashed model until it is back after a short pause, and leaves other models alone', async () => {
    const { serving, names, engines, states, clock } = begin()
    serving.sync([entry('a'), entry('b')])
    await clock.advance(0)
    engines[0]!.die({ why: 'SIGSEGV', cause: 'crash', jobs: [] })
    await clock.advance(99)
    expect(names()).toEqual(['b'])
    expect(engines[0]!.isStopped).toBe(true)
    expect(serving.states().get('a')).toEqual({ name: 'restarting', why: 'SIGSEGV' })
    await clock.advance(1)
    expect(names()).toEqual(['a', 'b'])
    expect(states.filter((state) => state.startsWith('a'))).toEqual([
      'a loading',
      'a serving',
      'a restarting',
      'a serving',
    ])
    expect(engines).toHaveLength(3)
  })

  it('rejects a request that three engines died on, and only that, and announces how many each model blocks, loaded or not, until those of this model are unblocked', async () => {
    const recall: ModelFacts['recall'] = ({ name }) => ({ model: model(name), loadMs: 1_000 })
    const facts = { recall, remember: () => {}, usedAt: () => undefined }
    const told: string[] = []
    const onBlocked: ServingOptions['onBlocked'] = (name, { requests, why }) => told.push(`${name} ${requests} ${why}`)
    const { serving, engines, clock } = begin(undefined, { facts, keepAliveMs: () => 60_000, onBlocked })
    const blocked = () => serving.models().map(({ name, state, blockedRequests }) => [name, state, blockedRequests])
    serving.sync([entry('a'), entry('b')])
    await clock.advance(0)
    for (let time = 1; time <= 3; time++) {
      for (const engine of engines.slice(-2))
        engine.die({ cause: 'crash', why: 'SIGSEGV', jobs: [asking('poison'), asking(`innocent ${time}`)] })
      await clock.advance(15_000)
    }
    expect(blocked()).toEqual([
      ['a', undefined, 1],
      ['b', undefined, 1],
    ])
    expect(told).toEqual(['a 1 SIGSEGV', 'b 1 SIGSEGV'])
    await expect(askEngine(serving, asking('poison'))).rejects.toMatchObject({ crashed: true, retryable: true })
    expect((await askEngine(serving, asking('innocent 1'))).finishes).toEqual(['stop'])
    await clock.advance(60_000)
    expect(blocked()).toEqual([
      ['a', 'loadable', 1],
      ['b', 'loadable', 1],
    ])
    serving.unblock('a')
    expect(blocked()).toEqual([
      ['a', 'loadable', undefined],
      ['b', 'loadable', 1],
    ])
    serving.unblock()
    expect(serving.blocked()).toEqual(new Map())
    const asked = askEngine(serving, asking('poison'))
    await clock.advance(0)
    expect((await asked).finishes).toEqual(['stop'])
  })

  it('says when a request is no longer rejected', async () => {
    const { serving, engines, clock, changes } = begin()
    serving.sync([entry('a')])
    for (let time = 1; time <= 3; time++) {
      await clock.advance(15_000)
      engines.at(-1)!.die({ cause: 'crash', why: 'SIGSEGV', jobs: [asking('poison')] })
    }
    await clock.advance(15_000)
    expect(serving.blocked().size).toBe(1)
    const before = changes()
    await clock.advance(3_600_000)
    expect([serving.blocked().size, changes() > before]).toEqual([0, true])
  })

  it('says what a start waits for', async () => {
    const told: unknown[] = []
    const onState: ServingOptions['onState'] = (_, state) =>
      told.push('progress' in state ? state.progress : state.name)
    const progress = { step: 'compiling', done: 1, total: 2 } as const
    const start: EchoOptions['start'] = (_signal, _room, report) => Promise.resolve(report?.(progress))
    const { serving, clock } = begin(() => ({ start }), { onState })
    serving.sync([entry('a')])
    await clock.advance(0)
    expect(told).toEqual(['loading', progress, 'serving'])
  })

  it('gives up on a load that does not end within an hour', async () => {
    const { serving, clock } = begin(() => ({ start: neverStarts }))
    serving.sync([entry('a')])
    await clock.advance(3_600_000 - 1)
    expect(serving.states().get('a')?.name).toBe('loading')
    await clock.advance(1)
    expect(serving.states().get('a')).toMatchObject({ name: 'failed', why: 'loading took too long' })
  })

  it('restarts an engine on demand: the old one is gone when the call returns', async () => {
    const { serving, names, engines, clock } = begin()
    serving.sync([entry('a')])
    await clock.advance(0)
    await serving.restart('a')
    expect(engines[0]!.isStopped).toBe(true)
    await clock.advance(0)
    expect(names()).toEqual(['a'])
    expect(engines).toHaveLength(2)
    await serving.restart('unknown')
  })

  it('stops while a model is still loading', async () => {
    const { serving, clock, engines } = begin(() => ({ start: neverStarts }))
    serving.sync([entry('a')])
    await clock.advance(0)
    await serving.stop()
    expect(engines[0]!.isStopped).toBe(true)
  })
})

describe('serving with local servers', () => {
  const named = (...names: string[]) => createEchoEngine({ models: names.map(model) })

  async function beginWith(servers: EchoEngine[]) {
    const clock = createManualClock()
    const own = named('own', 'shared')
    const options = { kind: 'llama', clock, startEngine: starting(() => own), onState: () => undefined }
    const serving = new Serving(options)
    onTestFinished(() => serving.stop())
    for (const server of servers) await serving.addServer(server, new AbortController().signal)
    return { serving, own, clock, names: () => serving.models().map(({ name }) => name) }
  }

  const ask = (serving: Serving, name: string) => askEngine(serving, { ...asking('hi'), model: name })

  it('serves the models of all servers, each from the first that has it', async () => {
    const [one, other] = [named('a', 'both'), named('both', 'b')]
    const { serving, names } = await beginWith([one, other])
    expect(serving.kind).toBe('llama+echo')
    expect(names()).toEqual(['a', 'both', 'b'])
    await ask(serving, 'both')
    await ask(serving, 'b')
    expect([one.produced, other.produced]).toEqual([1, 1])
    await expect(async () => ask(serving, 'c')).rejects.toMatchObject({ retryable: true })
  })

  it('prefers the model of this machine while it is loaded', async () => {
    const server = named('own')
    const { serving, own, clock, names } = await beginWith([server])
    await ask(serving, 'own')
    serving.sync([entry('own')])
    await clock.advance(0)
    expect(names()).toEqual(['own'])
    await ask(serving, 'own')
    expect([server.produced, own.produced]).toEqual([1, 1])
  })

  it('follows servers that come and go while it runs', async () => {
    const [one, late] = [named('a'), named('b')]
    const { serving, names } = await beginWith([one])
    let changes = 0
    serving.onChange(() => (changes += 1))
    await serving.addServer(late, new AbortController().signal)
    expect(names()).toEqual(['a', 'b'])
    await serving.removeServer(one)
    expect([names(), changes > 0]).toEqual([['b'], true])
    await expect(async () => ask(serving, 'a')).rejects.toMatchObject({ retryable: true })
    await ask(serving, 'b')
  })

  it('reports changes on any server, and stops all of them', async () => {
    const [one, other] = [named('a'), named('b')]
    const { serving } = await beginWith([one, other])
    let changes = 0
    const stop = serving.onChange(() => (changes += 1))
    other.serve([])
    one.serve([])
    stop()
    one.serve([])
    expect(changes).toBe(2)
    await serving.stop()
    expect([one.isStopped, other.isStopped]).toEqual([true, true])
  })
})
