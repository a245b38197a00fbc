// Compares the scheduler's stats with the simulator's own account, item by item. Too expensive for every step, so it runs now and then.

import type { SchedulerStats } from '../../slots/core/stats.ts'
import { idleDevice, unusedDevice } from './availability.ts'
import type { KnownJob } from './known-job.ts'
import { demand } from '../violation.ts'
import type { Account } from './account.ts'

/** A process is woken for a deadline a moment later. */
const LATE_MS = 2

export function checkAll(account: Account): void {
  const stats = account.stats()
  checkSlots(account, stats)
  checkQueues(account, stats)
  checkHedges(account, stats)
  for (const job of account.jobs.values()) checkJob(account, job)
}

function checkSlots(account: Account, stats: SchedulerStats): void {
  const held = account.attempts
  demand(stats.leases === held.size, () => `${stats.leases} leases, but ${held.size} slots are held`)
  const jobs = new Set([...account.jobs.keys(), ...[...held].map(({ reporter }) => reporter.job)])
  demand(stats.jobs === jobs.size, () => `${stats.jobs} jobs are remembered, but ${jobs.size} are of use`)
  for (const { device, model, leases, suspect, slots } of stats.served) {
    const served = account.devices.get(device)!.served.get(model)
    demand(
      served?.held === leases,
      () => `${leases} leases of ${device} for ${model}, but ${served?.held} slots are held`,
    )
    demand(served?.slots === slots, () => `${device} has other slots for ${model} than it said`)
    demand(suspect <= leases, () => `${device} has more suspect slots than leases for ${model}`)
  }
}

function checkQueues(account: Account, stats: SchedulerStats): void {
  const waiting = [...account.jobs.values()].filter((job) => job.isWaiting)
  const running = account.jobs.size - waiting.length
  demand(stats.queued === waiting.length, () => `${stats.queued} jobs queued, but ${waiting.length} wait`)
  demand(stats.running === running, () => `${stats.running} jobs running, but ${running} have an attempt`)
  for (const { organization, queued, perKey } of stats.waitingByOrganization) {
    const own = waiting.filter(({ ticket }) => ticket.organization === organization)
    demand(queued === own.length, () => `${organization} counts ${queued} waiting jobs, but has ${own.length}`)
    for (const [key, count] of perKey)
      demand(count === countOf(own, key), () => `key ${key} counts ${count} waiting jobs, but has ${countOf(own, key)}`)
  }
  for (const { organization, model, queued } of stats.queues) {
    const own = waiting.filter(({ ticket }) => ticket.organization === organization && ticket.model === model)
    demand(queued === own.length, () => `${queued} jobs queued for ${model} of ${organization}, but ${own.length} wait`)
  }
}

function checkHedges({ lateOffers: { count }, jobs }: Account, stats: SchedulerStats): void {
  const late = [...jobs.values()].filter((job) => job.needsSecond).length
  demand(stats.late === late, () => `${stats.late} jobs need a second device, but ${late} have a late one`)
  const { offered, won } = stats.hedges
  demand(offered === count.offered, () => `${offered} second offers are counted, but ${count.offered} were made`)
  demand(won === count.won, () => `${won} second offers are counted as accepted first, but ${count.won} were`)
}

function countOf(jobs: readonly KnownJob[], key: string): number {
  return jobs.filter((job) => job.ticket.key === key).length
}

/** A job refused for a full queue must have found it full; a job that was let in must have found room. */
export function checkBounds(account: Account, job: KnownJob): void {
  const own = [...account.jobs.values()].filter(
    (other) => other.isWaiting && other.ticket.organization === job.ticket.organization,
  )
  const ofKey = countOf(own, job.ticket.key)
  const { queuePerKey, queuePerOrganization } = account.limits
  const isOver = (more: number) => ofKey + more > queuePerKey || own.length + more > queuePerOrganization
  if (job.isWaiting) demand(!isOver(0), () => `${job.ticket.job} waits in a queue that was full`)
  else if (job.isFinished && job.outcome === 'queue-full')
    demand(
      isOver(1),
      () => `${job.ticket.job} was refused for a full queue with ${own.length} waiting, ${ofKey} of its key`,
    )
}

function checkJob(account: Account, job: KnownJob): void {
  const { job: id } = job.ticket
  const { limits, signMs } = account
  const now = account.now - LATE_MS
  demand(now <= job.totalUntil, () => `${id} runs beyond its total time`)
  if (!job.tries.some((attempt) => attempt.isAccepted))
    demand(now <= job.waitUntil, () => `${id} waits beyond its time`)
  if (job.isWaiting && !account.isDue(job.ticket.organization)) checkNotForgotten(account, job)
  if (job.isWaiting) demand(now <= job.returnUntil, () => `${id} waits too long for a device to come back`)
  const silentMs = (job.received > 0 ? limits.gapMs : limits.firstEventMs) + signMs
  for (const attempt of job.tries) {
    const { isAccepted, offeredAt, lastSignAt } = attempt
    demand(isAccepted || now <= offeredAt + limits.acceptMs, () => `${id} waits for an accept too long`)
    demand(!attempt.isLoading || now <= job.waitUntil, () => `${id} waits for its model beyond its time`)
    demand(!isAccepted || now <= lastSignAt + silentMs, () => `${id} bears a silence too long`)
  }
}

/** Cheap, because few jobs have a late device. */
export function checkLate(account: Account): void {
  for (const job of account.lateOffers.waiting())
    if (!account.isDue(job.ticket.organization)) checkNoSecond(account, job)
}

function checkNoSecond(account: Account, job: KnownJob): void {
  const free = unusedDevice(job, account.devices, account.now)
  demand(free === undefined, () => `${job.ticket.job} waits for a late device although ${free?.id} is free`)
}

function checkNotForgotten(account: Account, job: KnownJob): void {
  const free = idleDevice(job, account.devices, account.now, account.limits.patienceMs)
  demand(free === undefined, () => `${job.ticket.job} waits although ${free?.id} is free`)
}

/** Once the last job has left and all devices work, nothing may be left. */
export function checkEmpty(account: Account): void {
  const stats = account.stats()
  demand(
    account.finished === account.submitted,
    () => `${account.submitted} jobs submitted, but ${account.finished} finished`,
  )
  demand(account.jobs.size === 0, () => `${account.jobs.size} jobs still wait`)
  demand(stats.leases === 0 && stats.jobs === 0, () => `${stats.leases} leases and ${stats.jobs} jobs are left`)
  demand(
    stats.queued === 0 && stats.waitingByOrganization.length === 0,
    () => `${stats.queued} jobs are left in queues`,
  )
  demand(account.nextDeadline === undefined, () => 'a deadline is left')
}
