import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FleetWorld } from '../testing/fleet-world.ts'
import { createFleet } from './fleet.ts'
import { alone } from './peers/alone.ts'
import { QUIET } from './testing/open-gateways.ts'

const GAP_MS = 2_000
/** A scheduler hears of a device four times within the limit. */
const SIGN_MS = GAP_MS / 4

/** A job that runs on a device, on a clock that the test moves. */
async function run() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const limits = { gapMs: GAP_MS, firstEventMs: GAP_MS }
  const world = await FleetWorld.open(async (setup) => [createFleet({ ...setup, ...QUIET, limits }, alone())])
  const device = await world.connect('d')
  const job = world.submit('j')
  return { device, job, attempt: await device.accepts('j') }
}

describe('a device of a lone gateway', () => {
  it('is not given up while it sends an event within the limit, whenever the scheduler hears of it', async () => {
    const { device, job, attempt } = await run()
    for (let sequence = 0; sequence < 40; sequence++) {
      vi.advanceTimersByTime(sequence % 2 === 0 ? GAP_MS - 1 : SIGN_MS - 1)
      device.says(attempt, sequence, 'x')
    }
    expect(job.failure).toBeUndefined()
    device.ends(attempt, 40)
    expect(await job.ends()).toEqual(['stop'])
  })

  it('is not given up while it reports progress within the limit', async () => {
    const { device, attempt } = await run()
    for (let done = 0; done < 40; done++) {
      vi.advanceTimersByTime(done % 2 === 0 ? GAP_MS - 1 : SIGN_MS - 1)
      device.say({ type: 'job-progress', ...attempt, phase: 'prompt', done, total: 40 })
    }
    expect(device.frames.some(({ type }) => type === 'job-cancel')).toBe(false)
  })

  it('[S30] is given up when it falls silent', async () => {
    const { device, job, attempt } = await run()
    device.says(attempt, 0, 'x')
    vi.advanceTimersByTime(GAP_MS)
    expect(job.failure).toBeUndefined()
    vi.advanceTimersByTime(SIGN_MS + 1)
    expect(job.failure).toEqual({ kind: 'timed-out', limit: 'gap' })
    expect(device.frames.at(-1)).toMatchObject({ type: 'job-cancel', ...attempt, reason: 'timed-out' })
  })
})
