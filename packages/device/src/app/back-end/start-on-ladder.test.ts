import { describe, expect, it } from 'vitest'
import { EngineError, type Room } from '../../engines/engine.ts'
import type { Backend, BackendFault, Rung } from '../../gpu/backend.ts'
import { createEchoEngine, type EchoEngine, type EchoOptions } from '../../testing/echo-engine.ts'
import { startOnLadder } from './start-on-ladder.ts'

const signal = new AbortController().signal
const NOTHING = { ram: 0, gpu: 0 }
const ROOM: Room = { held: () => NOTHING, evictable: () => NOTHING, make: () => Promise.resolve('take-less') }
const ABORT: BackendFault = { how: 'SIGABRT, CUDA error', isCertain: false }

/** A ladder whose first rung is left after one crash. */
function begin(options: EchoOptions = {}) {
  const crashes: string[] = []
  let rung: Rung = 'cuda'
  const ladder = {
    use: (): Promise<Backend> => Promise.resolve({ rung, gpu: false, environment: {} }),
    crashed: (from: Rung, { how }: BackendFault) => {
      crashes.push(`${from}: ${how}`)
      rung = 'cpu'
    },
  }
  const made: { backend: Backend; engine: EchoEngine }[] = []
  const create = (backend: Backend) => {
    const engine = createEchoEngine(options)
    made.push({ backend, engine })
    return engine
  }
  return { start: () => startOnLadder(ladder, create, signal, ROOM), made, crashes }
}

describe('an engine on the ladder', () => {
  it('tells the ladder when it dies, before anybody can start the next one', async () => {
    const { start, made, crashes } = begin()
    const first = await start()
    made[0]!.engine.die({
      why: 'the engine stopped unexpectedly: SIGABRT, CUDA error',
      cause: 'crash',
      fault: ABORT,
      jobs: [],
    })
    await first.ended
    expect(crashes).toEqual(['cuda: SIGABRT, CUDA error'])
    await start()
    expect(made[1]!.backend.rung).toBe('cpu')
  })

  it('blames the back end if the process dies while it loads, but not for a model that it can not load', async () => {
    const died = new EngineError('failed', 'The engine stopped unexpectedly: SIGABRT', { crashed: true, fault: ABORT })
    const crash = begin({ start: () => Promise.reject(died) })
    await expect(crash.start()).rejects.toThrow('SIGABRT')
    expect(crash.crashes).toHaveLength(1)
    const damaged = begin({ start: () => Promise.reject(new EngineError('failed', "Can't load model")) })
    await expect(damaged.start()).rejects.toThrow("Can't load model")
    expect(damaged.crashes).toEqual([])
    expect(damaged.made[0]!.engine.isStopped).toBe(true)
  })

  it('stops waiting for a rung when its start is aborted', async () => {
    const end = new AbortController()
    const waiting = { use: () => new Promise<Backend>(() => {}), crashed: () => {} }
    const started = startOnLadder(waiting, () => createEchoEngine(), end.signal, ROOM)
    end.abort(new Error('stopped'))
    await expect(started).rejects.toThrow('stopped')
  })
})
