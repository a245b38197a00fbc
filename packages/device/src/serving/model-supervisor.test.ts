import type { ChatEvent, ChatJob } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Room } from '../engines/engine.ts'
import type { ModelState } from '../news.ts'
import { createEchoEngine, neverStarts, type EchoEngine, type EchoOptions } from '../testing/echo-engine.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { Blocked } from './crash-record.ts'
import { LoadQueue } from './load-queue.ts'
import { ModelSupervisor } from './model-supervisor.ts'
import { startOrStop } from './start-engine.ts'

const NOTHING = { ram: 0, gpu: 0 }
const ROOM: Room = { held: () => NOTHING, evictable: () => NOTHING, make: () => Promise.resolve('take-less') }
const entry = { name: 'echo', path: '/models/echo.gguf', source: 'echo', bytes: 1 }
const asking = (content: string): ChatJob => ({ model: 'echo', messages: [{ role: 'user', content }] })

async function begin(options: (engine: number) => EchoOptions = () => ({})) {
  const clock = createManualClock()
  const engines: EchoEngine[] = []
  const states: ModelState[] = []
  const told: (Blocked | undefined)[] = []
  const supervisor = new ModelSupervisor({
    entry,
    clock,
    loads: new LoadQueue(),
    room: ROOM,
    startEngine: (signal, room, report) => {
      const engine = createEchoEngine(options(engines.length))
      engines.push(engine)
      return startOrStop(engine, signal, room, report)
    },
    onState: (state) => states.push(state),
    onBlocked: (blocked) => told.push(blocked),
  })
  onTestFinished(() => supervisor.stop())
  supervisor.load()
  await clock.advance(0)
  const die = async (...jobs: ChatJob[]) => {
    engines.at(-1)!.die({ why: 'SIGSEGV', cause: 'crash', jobs })
    await clock.advance(0)
  }
  return { clock, engines, states, told, supervisor, die }
}

async function ask(supervisor: ModelSupervisor, question: string): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of supervisor.run(asking(question), new AbortController().signal, () => undefined))
    events.push(event)
  return events
}

describe('ModelSupervisor', () => {
  it('[W36] replaces an engine that died, after a short pause', async () => {
    const { supervisor, clock, engines, states, die } = await begin()
    await die()
    expect(supervisor.state).toEqual({ name: 'restarting', why: 'SIGSEGV' })
    expect(engines[0]!.isStopped).toBe(true)
    await clock.advance(99)
    expect(engines).toHaveLength(1)
    await clock.advance(1)
    expect(states.map(({ name }) => name)).toEqual(['loading', 'serving', 'restarting', 'serving'])
    expect(await ask(supervisor, 'Hello')).toHaveLength(2)
  })

  it('[W36] rejects a job that three engines died on, and only that, until it is unblocked', async () => {
    const { supervisor, clock, told, die } = await begin()
    for (let time = 1; time <= 3; time++) {
      expect(await ask(supervisor, 'poison')).toHaveLength(2)
      await die(asking('poison'), asking(`innocent ${time}`))
      await clock.advance(15_000)
    }
    await expect(ask(supervisor, 'poison')).rejects.toMatchObject({ crashed: true, retryable: true })
    expect(await ask(supervisor, 'innocent 1')).toHaveLength(3)
    expect(told).toMatchObject([{ requests: 1, why: 'SIGSEGV' }])
    expect(supervisor.blocked).toEqual(told[0])
    supervisor.unblock()
    expect(await ask(supervisor, 'poison')).toHaveLength(2)
    expect(supervisor.blocked).toBeUndefined()
    expect(told).toHaveLength(2)
  })

  it('says what a start waits for', async () => {
    const { states } = await begin(() => ({
      start: (_signal, _room, report) => {
        report?.({ step: 'compiling', done: 1, total: 2 })
        return Promise.resolve()
      },
    }))
    expect(states.map((state) => ('progress' in state ? state.progress : state.name))).toEqual([
      'loading',
      { step: 'compiling', done: 1, total: 2 },
      'serving',
    ])
  })

  it('says when a job is no longer rejected', async () => {
    const { clock, told, die } = await begin()
    for (let time = 1; time <= 3; time++) {
      await die(asking('poison'))
      await clock.advance(15_000)
    }
    await clock.advance(3_600_000)
    expect(told).toEqual([expect.objectContaining({ requests: 1 }), undefined])
  })

  it('[U50a] gives up on a load that does not end within an hour', async () => {
    const { supervisor, clock } = await begin(() => ({ start: neverStarts }))
    await clock.advance(3_600_000 - 1)
    expect(supervisor.state.name).toBe('loading')
    await clock.advance(1)
    expect(supervisor.state).toMatchObject({ name: 'failed', why: 'loading took too long' })
  })
})
