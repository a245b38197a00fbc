import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keepRunning, type Running } from './keep-running.ts'
import { RestartPlan } from './restart-plan.ts'

interface Fake extends Running<string> {
  end(why: string): Promise<void>
  isStopped: boolean
}

function createFake(): Fake {
  const ended = Promise.withResolvers<string>()
  const fake: Fake = {
    ended: ended.promise,
    isStopped: false,
    async stop() {
      fake.isStopped = true
    },
    async end(why) {
      ended.resolve(why)
      await turn()
    },
  }
  return fake
}

/** Starts what `next` returns, and tells in words what happens. The pauses are over at once. */
function begin(next: (signal: AbortSignal) => Promise<Fake>, givesUpBeforeFirstRun = false) {
  const told: string[] = []
  const stopping = new AbortController()
  const policy = { pausesMs: [1, 2, 3], settledMs: 100, skippedAfterFailedStart: 0, givesUpBeforeFirstRun }
  const over = keepRunning<string, Fake>(
    {
      plan: new RestartPlan(policy),
      start: next,
      onState: (state) => {
        const why = state.name === 'ended' ? ` (${state.end})` : ''
        const pause = 'pauseMs' in state ? `, again in ${state.pauseMs} ms` : ''
        told.push(state.name + why + pause)
      },
      now: () => 0,
      pause: () => turn(),
    },
    stopping.signal,
  )
  return { told, over, stopping }
}

describe('what is kept running', () => {
  it('is started again when it ends or can not start, until it is stopped, and nothing of it stays', async () => {
    const fakes = [createFake(), createFake()]
    const plan = [Promise.resolve(fakes[0]!), Promise.reject(new Error('no room')), Promise.resolve(fakes[1]!)]
    plan[1]!.catch(() => undefined)
    const { told, over, stopping } = begin(() => plan.shift()!)
    await turn()
    await fakes[0]!.end('crashed')
    await turn()
    await turn()
    stopping.abort()
    await over
    expect(told).toEqual([
      'running',
      'ended (crashed), again in 1 ms',
      'not-started, again in 2 ms',
      'running',
      'stopping',
    ])
    expect(fakes.map(({ isStopped }) => isStopped)).toEqual([true, true])
  })

  it('counts as running only if nobody stopped it while it started', async () => {
    const fake = createFake()
    const started = Promise.withResolvers<Fake>()
    const { told, over, stopping } = begin(() => started.promise)
    stopping.abort()
    started.resolve(fake)
    await over
    expect([told, fake.isStopped]).toEqual([[], true])
  })

  it('ends quietly if its start is stopped', async () => {
    const { told, over, stopping } = begin((signal) => {
      const { promise, reject } = Promise.withResolvers<Fake>()
      signal.addEventListener('abort', () => reject(signal.reason))
      return promise
    })
    stopping.abort()
    await over
    expect(told).toEqual([])
  })

  it('is given up with the reason of its start, if the plan says so', async () => {
    const { over } = begin(() => Promise.reject(new Error('wrong setting')), true)
    await expect(over).rejects.toThrow('wrong setting')
  })
})
