import { describe, expect, it } from 'vitest'
import { EngineError } from '../engines/engine.ts'
import { askEngine } from '../engines/testing/collect-reply.ts'
import type { Backend, Rung } from '../gpu/backend.ts'
import { createEchoEngine, type EchoEngine, type EchoOptions } from '../testing/echo-engine.ts'
import { createLadderEngine } from './ladder-engine.ts'

const signal = new AbortController().signal

/** A ladder whose first rung is left after one crash. */
function begin(options: EchoOptions = {}) {
  const crashes: string[] = []
  let rung: Rung = 'cuda'
  const ladder = {
    use: (): Promise<Backend> => Promise.resolve({ rung, gpu: false, environment: {} }),
    crashed: (from: Rung, why: string) => {
      crashes.push(`${from}: ${why}`)
      rung = 'cpu'
    },
  }
  const made: { backend: Backend; engine: EchoEngine }[] = []
  const create = () =>
    createLadderEngine(
      () => Promise.resolve(ladder),
      (backend) => {
        const engine = createEchoEngine(options)
        made.push({ backend, engine })
        return engine
      },
    )
  return { create, made, crashes }
}

describe('an engine on the ladder', () => {
  it('serves on the rung that the ladder found', async () => {
    const { create, made } = begin()
    const engine = create()
    expect(engine.models()).toEqual([])
    await engine.start(signal)
    expect(made[0]!.backend.rung).toBe('cuda')
    const job = { model: engine.models()[0]!.name, messages: [{ role: 'user' as const, content: 'Hi' }] }
    expect((await askEngine(engine, job)).text).not.toBe('')
    await engine.stop()
    expect(made[0]!.engine.isStopped).toBe(true)
  })

  it('[U53] tells the ladder when it dies, before anybody can start the next one', async () => {
    const { create, made, crashes } = begin()
    const first = create()
    await first.start(signal)
    made[0]!.engine.die({ why: 'SIGABRT, CUDA error', jobs: [] })
    await first.ended
    expect(crashes).toEqual(['cuda: SIGABRT, CUDA error'])
    await create().start(signal)
    expect(made[1]!.backend.rung).toBe('cpu')
  })

  it('[U53] blames the back end if the process dies while it loads, but not for a model that it can not load', async () => {
    const died = new EngineError('failed', 'The engine stopped unexpectedly: SIGABRT', { crashed: true })
    const crash = begin({ start: () => Promise.reject(died) })
    await expect(crash.create().start(signal)).rejects.toThrow('SIGABRT')
    expect(crash.crashes).toHaveLength(1)
    const damaged = begin({ start: () => Promise.reject(new EngineError('failed', "Can't load model")) })
    await expect(damaged.create().start(signal)).rejects.toThrow("Can't load model")
    expect(damaged.crashes).toEqual([])
  })

  it('stops waiting for a rung when its start is aborted', async () => {
    const end = new AbortController()
    const waiting = { use: () => new Promise<Backend>(() => {}), crashed: () => {} }
    const started = createLadderEngine(
      () => Promise.resolve(waiting),
      () => createEchoEngine(),
    ).start(end.signal)
    end.abort(new Error('stopped'))
    await expect(started).rejects.toThrow('stopped')
  })
})
