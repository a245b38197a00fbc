// What leasing a slot costs, and how much memory a device takes there: the pure part alone, with up to a million devices in ten thousand
// organizations. It runs in this process, so nothing else is measured.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Scheduler } from '../../packages/gateway/src/fleet/scheduler/core/scheduler.ts'
import { SCHEDULER_LIMITS } from '../../packages/gateway/src/fleet/scheduler/core/types.ts'
import type { Measure } from '../measure.ts'

const DEVICES_PER_ORGANIZATION = 100
const JOBS = 200_000
/** Organizations that are in use at a time: as many as the smaller fleet has. */
const IN_USE = 10
const ROUNDS = 5

export const leasing: Measure = {
  name: 'leasing',
  async run({ isQuick }) {
    const [few, many] = [new Organizations(1_000), new Organizations(isQuick ? 10_000 : 1_000_000)]
    // In turns, so that both meet the same neighbors on this machine.
    const rounds = Array.from(
      { length: ROUNDS + 1 },
      () => [few.lease(JOBS, IN_USE), many.lease(JOBS, IN_USE), many.lease(JOBS)] as const,
    ).slice(1)
    const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
    const [small, large, cold] = ([0, 1, 2] as const).map((which) => median(rounds.map((round) => round[which])))
    const row = (what: string, cost: number) => ({
      what: `a lease, from the ask until its slot is free again, with ${many.devices} devices instead of ${few.devices}, ${what}`,
      figures: { few: `${small!.toFixed(2)} µs`, many: `${cost.toFixed(2)} µs` },
      bars: [{ unit: '× few', value: cost / small!, most: 1.2 }],
    })
    return [
      row(`in the same ${IN_USE} organizations: what is decided`, large!),
      row('each in another organization: what is decided, and all of it has to come from memory', cold!),
      {
        what: 'memory that a device with one model takes there',
        figures: { few: `${Math.round(few.bytesPerDevice)} bytes`, many: `${Math.round(many.bytesPerDevice)} bytes` },
        bars: [{ unit: '× few', value: many.bytesPerDevice / few.bytesPerDevice, most: 1.2 }],
      },
    ]
  },
}

class Organizations {
  readonly devices: number
  readonly bytesPerDevice: number
  readonly #schedulers: Scheduler[] = []
  #leases = 0
  #job = 0

  constructor(devices: number) {
    const before = heapBytes()
    this.devices = devices
    for (let count = 0; count < devices / DEVICES_PER_ORGANIZATION; count++) this.#schedulers.push(this.#open(count))
    this.bytesPerDevice = (heapBytes() - before) / devices
  }

  #open(organization: number): Scheduler {
    const scheduler = new Scheduler(SCHEDULER_LIMITS, () => (this.#leases += 1))
    for (let device = 0; device < DEVICES_PER_ORGANIZATION; device++) {
      const models = [{ name: 'small', contextLength: 4_096, slots: 1, features: [] }]
      const report = { epoch: 1, edition: 1, models, isDraining: false, taken: [] }
      scheduler.reported({ device: `${organization}-${device}`, ...report }, 0)
    }
    return scheduler
  }

  /** These organizations in turn. Returns the microseconds of CPU time that one lease takes. */
  lease(jobs: number, organizations = this.#schedulers.length): number {
    const start = process.cpuUsage()
    for (let count = 0; count < jobs; count++) {
      const scheduler = this.#schedulers[(count * 7_919) % organizations]!
      this.#leaseOne(scheduler, `job-${(this.#job += 1)}`, this.#job)
    }
    const { user, system } = process.cpuUsage(start)
    return (user + system) / jobs
  }

  #leaseOne(scheduler: Scheduler, job: string, now: number): void {
    const kind = { organization: 'o', key: 'k', model: 'small', features: [], rerunnable: false }
    const ticket = { job, ...kind, cost: 10, promptSize: 1_000, prefixes: [] }
    const rest = { begun: undefined, mustContinue: false, avoided: undefined, excluded: undefined }
    scheduler.request('front', { ticket, want: 'slot', isFirst: true, ageMs: 0, waitMs: 1_000, ...rest }, now)
    const decision = scheduler.decisions.pop()
    if (decision?.type !== 'lease') throw new Error('Cannot measure: no slot was leased')
    const measured = { readMs: 100, answerMs: 100, tokens: 10 }
    scheduler.accepted(decision.lease, now)
    const settlement = { key: 'k', model: 'small', tokens: 20, kind: 'ended' as const, measured }
    scheduler.settle('front', decision.lease, settlement, undefined, now)
  }
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
