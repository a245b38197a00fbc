import { describe, expect, it } from 'vitest'
import { LoopMeter } from './loop-meter.ts'

const WORK_MS = 30

function work(): void {
  const until = process.threadCpuUsage().user + WORK_MS * 1_000
  while (process.threadCpuUsage().user < until);
}

const turn = () => new Promise(setImmediate)

describe('the meter of the event loop', () => {
  it('tells the processor time of turns that work', async () => {
    const meter = new LoopMeter()
    for (let turns = 0; turns < 5; turns++) {
      await turn()
      work()
    }
    await turn()
    const { turnMs, turnCpuMs } = meter.read()
    expect(turnCpuMs).toBeGreaterThan(WORK_MS / 2)
    expect(turnMs).toBeGreaterThan(WORK_MS / 2)
  })

  it('does not count the time that turns wait', async () => {
    const meter = new LoopMeter()
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(meter.read().turnCpuMs).toBeLessThan(50)
  })
})
