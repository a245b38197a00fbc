// News about attempts and leases that are over, or from the wrong device, link or attempt. All of it has to be dropped.

import type { JobFrame } from '../terms/job-frame.ts'
import type { SchedulerPort } from '../ports/scheduler-port.ts'
import type { LeaseOf } from '../terms/messages.ts'
import type { KnownAttempt } from './account/known-job.ts'
import type { LoneWorld } from './world.ts'
import { demand } from './violation.ts'

const FALSE_FRAMES: readonly ((of: { job: string; attempt: number }, sequence: number) => JobFrame)[] = [
  (of) => ({ type: 'job-accept', ...of }),
  (of) => ({ type: 'job-refuse', ...of, reason: 'unsupported' }),
  (of) => ({ type: 'job-progress', ...of, phase: 'prompt', total: 7 }),
  (of) => ({ type: 'job-error', ...of, code: 'failed', message: 'late', retryable: false, crashed: true }),
  (of) => ({ type: 'job-cancelled', ...of }),
  (of, sequence) => ({ type: 'job-delta', ...of, sequence, choice: 0, text: 'false ' }),
  (of, sequence) => ({ type: 'job-sealed', ...of, sequence, box: 'false ' }),
  (of, sequence) => ({ type: 'job-end', ...of, sequence, finishes: ['stop'] }),
]

const REFUSED = { key: '', model: '', tokens: 0, kind: 'refused', measured: undefined } as const

type Said = (schedulers: SchedulerPort, organization: string, of: LeaseOf, from: string) => void

const FALSE_NEWS: readonly Said[] = [
  (schedulers, organization, of, from) => schedulers.accepted(organization, of, from),
  (schedulers, organization, of, from) => schedulers.late(organization, [of], from),
  (schedulers, organization, of, from) => schedulers.settle(organization, of, REFUSED, undefined, from),
  (schedulers, organization, of, from) => schedulers.freed(organization, of, from),
]

/** A report on an attempt that is over, or from the wrong device, link or attempt. */
export function reportFalsely(world: LoneWorld): void {
  const { random, pastAttempts, account } = world
  if (pastAttempts.length === 0) return
  const running = [...account.attempts]
  if (running.length > 0 && random.chance(0.5)) return forge(world, random.pick(running))
  const late = random.pick(pastAttempts)
  const frame = falseFrame(world, late.of)
  changesNothing(world, () => (random.chance(0.5) ? late.device.link?.say(frame) : tellFront(world, frame)))
}

function tellFront(world: LoneWorld, frame: JobFrame): void {
  world.gateway.roles.jobs.frame(frame)
}

function forge(world: LoneWorld, { reporter, device }: KnownAttempt): void {
  const { random, devices, gateway } = world
  const { job, attempt } = reporter
  const luck = random.fraction()
  const others = [...devices.values()].filter(({ id }) => id !== device.id)
  if (luck < 0.3)
    return changesNothing(world, () => tellFront(world, falseFrame(world, { job, attempt: attempt + 100 })))
  const frame = falseFrame(world, { job, attempt })
  if (luck < 0.5) return changesNothing(world, () => random.pick(others).link?.say(frame))
  const { lease } = reporter
  const wrong: LeaseOf[] = [
    { device: device.id, lease: lease + 1e6 },
    { device: random.pick(others).id, lease },
  ]
  const { organization } = device
  const [say, of] = [random.pick(FALSE_NEWS), random.pick(wrong)]
  changesNothing(world, () => say(gateway.roles.schedulers, organization, of, gateway.peers.self))
}

function falseFrame({ random }: LoneWorld, of: { job: string; attempt: number }): JobFrame {
  return random.pick(FALSE_FRAMES)(of, random.between(0, 3))
}

export function changesNothing(world: LoneWorld, say: () => void): void {
  const { account } = world
  const before = account.effects
  say()
  demand(account.effects === before, () => 'a report that should be dropped had an effect')
}
