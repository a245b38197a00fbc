// Compares the scheduler's stats with the simulator's own account, item by item. Too expensive for every step, so it runs now and then.

import type { Jobs } from '../../jobs/jobs.ts'
import { sum, type SchedulerStats } from '../../scheduler/core/stats.ts'
import { demandNoOther, idleDevice, unusedDevice } from './availability.ts'
import type { KnownJob } from './known-job.ts'
import { demand, demandSame } from '../violation.ts'
import type { Account } from './account.ts'

/** A process is woken for a deadline a moment later. */
const LATE_MS = 2

export function checkAll(account: Account): void {
  const { jobs, schedulers } = account.roles
  const stats = schedulers.stats()
  checkSlots(account, [...stats.values()])
  checkLines(account, stats)
  for (const [organization, { reserved }] of stats) checkReserved(account, organization, reserved)
  const running = [...account.jobs.values()].filter((job) => !job.isWaiting).length
  demandSame(jobs.jobCount, account.jobs.size, 'jobs are kept', 'are not over')
  demandSame(jobs.runningCount, running, 'jobs running', 'have an attempt')
  checkSeconds(account, jobs.counts)
  for (const job of account.jobs.values()) checkJob(account, job)
}

function checkSlots(account: Account, stats: readonly SchedulerStats[]): void {
  const leases = sum(stats, (one) => one.leases)
  demandSame(leases, account.attempts.size, 'leases', 'slots are held')
  demand(sum(stats, ({ unsettled }) => unsettled) === 0, () => 'a lease is over, but not settled')
  for (const { device, model, leases: taken, suspect, slots } of stats.flatMap(({ served }) => served)) {
    const served = account.devices.get(device)!.served.get(model)
    demandSame(taken, served?.held ?? Number.NaN, `leases of ${device} for ${model}`, 'slots are held')
    demand(served?.slots === slots, () => `${device} has other slots for ${model} than it said`)
    demand(suspect <= taken, () => `${device} has more suspect slots than leases for ${model}`)
  }
}

function checkLines(account: Account, stats: ReadonlyMap<string, SchedulerStats>): void {
  const waiting = [...account.jobs.values()].filter((job) => job.isWaiting)
  const queued = sum([...stats.values()], (one) => one.queued)
  demandSame(queued, waiting.length, 'jobs queued', 'wait')
  for (const [organization, { queues, waitingPerKey }] of stats) {
    const own = waiting.filter(({ ticket }) => ticket.organization === organization)
    for (const [key, count] of waitingPerKey)
      demandSame(count, countOf(own, key), 'waiting jobs are counted', `are of the key ${key}`)
    for (const queue of queues) {
      const inLine = own.filter(({ ticket }) => ticket.model === queue.model).length
      demandSame(queue.queued, inLine, `jobs queued for ${queue.model}`, 'wait')
    }
  }
  const late = sum([...stats.values()], (one) => one.late)
  const needed = [...account.jobs.values()].filter((job) => job.needsSecond).length
  demandSame(late, needed, 'jobs need a second device', 'have a late one')
}

/** Tokens are reserved while somebody works for a key that has a budget, and not longer. */
function checkReserved({ jobs, month }: Account, organization: string, reserved: number): void {
  const counted = [...jobs.values()].filter(
    ({ ticket }) => ticket.organization === organization && month.of(ticket.key).length > 0,
  )
  const isAnyAtWork = counted.some(({ tries }) => tries.length > 0)
  demand(!isAnyAtWork || reserved > 0, () => `no tokens of ${organization} are reserved`)
  const isAnyBegun = counted.some(({ isWaiting, attempts }) => isWaiting && attempts > 0)
  demand(isAnyAtWork || isAnyBegun || reserved === 0, () => `${reserved} tokens of ${organization} stay reserved`)
}

function checkSeconds({ lateOffers: { count } }: Account, { secondOffers, secondOffersWon }: Jobs['counts']): void {
  demandSame(secondOffers, count.offered, 'second offers are counted', 'were made')
  demandSame(secondOffersWon, count.won, 'second offers are counted as accepted first', 'were')
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
  const { limits } = account
  const now = account.now - LATE_MS
  demand(now <= job.totalUntil, () => `${id} runs beyond its total time`)
  if (!job.tries.some((attempt) => attempt.isAccepted))
    demand(now <= job.waitUntil, () => `${id} waits beyond its time`)
  if (job.isWaiting && !account.isDue(job.ticket.organization)) checkNotForgotten(account, job)
  if (job.isWaiting) demand(now <= job.returnUntil, () => `${id} waits too long for a device to come back`)
  const silentMs = job.received > 0 ? limits.gapMs : limits.firstEventMs
  for (const attempt of job.tries) {
    const { isAccepted, offeredAt, lastSignAt } = attempt
    demand(isAccepted || now <= offeredAt + limits.acceptMs, () => `${id} waits for an accept too long`)
    demand(!attempt.isLoading || now <= job.waitUntil, () => `${id} waits for its model beyond its time`)
    demand(!isAccepted || now <= lastSignAt + silentMs, () => `${id} bears a silence too long`)
  }
}

/** Cheap, because few jobs have a late device. */
export function checkLate(account: Account): void {
  if (account.lateOffers.isEmpty) return
  account.lateOffers.forWaiting((job) => {
    if (!account.isDue(job.ticket.organization))
      demandNoOther(job, 'waits for a late device', unusedDevice(job, account.devices, account.now), 'although')
  })
}

function checkNotForgotten(account: Account, job: KnownJob): void {
  // It waits to know what those that run will use.
  const isReserved = (account.roles.schedulers.statsOf(job.ticket.organization)?.reserved ?? 0) > 0
  if (isReserved && account.month.of(job.ticket.key).length > 0) return
  demandNoOther(job, 'waits', idleDevice(job, account.devices, account.now, account.limits.patienceMs), 'although')
}

/** Once the last job has left and all devices work, nothing may be left. */
export function checkEmpty(account: Account): void {
  const { jobs, schedulers } = account.roles
  const stats = [...schedulers.stats().values()]
  const left = [
    `${account.submitted - account.finished} jobs have not ended`,
    `${account.jobs.size} jobs wait`,
    `${jobs.jobCount} jobs are kept`,
    `${sum(stats, ({ leases }) => leases)} slots are taken`,
    `${sum(stats, ({ reserved }) => reserved)} tokens are reserved`,
    `${sum(stats, ({ unsettled }) => unsettled)} leases are not settled`,
    `${sum(stats, ({ queued, late, waitingPerKey }) => queued + late + waitingPerKey.size)} jobs are in line`,
    `${account.nextDeadline === undefined ? 0 : 1} deadlines wait`,
  ].filter((what) => !what.startsWith('0 '))
  demand(left.length === 0, () => `after everything has ended, ${left.join(', ')}`)
}
