// Reports on attempts that are over, or from the wrong device, link or attempt. All of them have to be dropped.

import type { JobFrame } from '../terms/job-frame.ts'
import type { Report } from '../terms/messages.ts'
import type { Reporter } from '../terms/job.ts'
import type { KnownAttempt } from './account/known-attempt.ts'
import type { LoneWorld } from './lone-world.ts'
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

const FALSE_REPORTS: readonly Report[] = [
  { kind: 'accepted' },
  { kind: 'refused', reason: 'unsupported' },
  { kind: 'progress', promptTokens: 7 },
  { kind: 'failed', failure: { retryable: false, crashed: true, error: { code: 'failed', message: 'late' } } },
  { kind: 'faulted' },
  { kind: 'over' },
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
  world.gateway.roles.front.frame(frame)
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
  const wrong = [
    { ...reporter, epoch: reporter.epoch + random.pick([-1, 1]) },
    { ...reporter, attempt: attempt + 100 },
    { ...reporter, device: random.pick(others).id },
  ]
  const { organization } = device
  const from: Reporter = random.pick(wrong)
  const report = random.pick(FALSE_REPORTS)
  const message = { type: 'report', organization, from, report, delivered: undefined } as const
  changesNothing(world, () => gateway.roles.scheduler.take(gateway.peers.self, organization, message))
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
