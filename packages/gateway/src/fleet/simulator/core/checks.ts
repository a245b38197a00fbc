// Compares the scheduler's stats with the world's own account, item by item. Too expensive for every step, so it runs now and then.

import type { SchedulerStats } from '../../scheduler/core/stats.ts'
import { idleDevice, unusedDevice } from './availability.ts'
import type { Client } from './client.ts'
import { demand } from '../violation.ts'
import type { World } from './world.ts'

export function checkWorld(world: World): void {
  const stats = world.core.stats(world.now)
  checkSlots(world, stats)
  checkQueues(world, stats)
  checkHedges(world, stats)
  for (const client of world.clients.values()) checkClient(world, client)
}

function checkSlots(world: World, stats: SchedulerStats): void {
  const held = world.attempts
  demand(stats.leases === held.size, () => `${stats.leases} leases, but ${held.size} slots are held`)
  const jobs = new Set([...world.clients.keys(), ...[...held].map(({ reporter }) => reporter.job)])
  demand(stats.jobs === jobs.size, () => `${stats.jobs} jobs are remembered, but ${jobs.size} are of use`)
  for (const { device, model, leases, suspect, slots } of stats.served) {
    const served = world.devices.get(device)!.served.get(model)
    demand(
      served?.held === leases,
      () => `${leases} leases of ${device} for ${model}, but ${served?.held} slots are held`,
    )
    demand(served?.slots === slots, () => `${device} has other slots for ${model} than it said`)
    demand(suspect <= leases, () => `${device} has more suspect slots than leases for ${model}`)
  }
}

function checkQueues(world: World, stats: SchedulerStats): void {
  const waiting = [...world.clients.values()].filter((client) => client.isWaiting)
  const running = world.clients.size - waiting.length
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

function checkHedges({ lateOffers: { count }, clients }: World, stats: SchedulerStats): void {
  const late = [...clients.values()].filter((client) => client.needsSecond).length
  demand(stats.late === late, () => `${stats.late} jobs need a second device, but ${late} have a late one`)
  const { offered, won } = stats.hedges
  demand(offered === count.offered, () => `${offered} second offers are counted, but ${count.offered} were made`)
  demand(won === count.won, () => `${won} second offers are counted as accepted first, but ${count.won} were`)
}

function countOf(clients: readonly Client[], key: string): number {
  return clients.filter((client) => client.ticket.key === key).length
}

/** A job refused for a full queue must have found it full; a job that was let in must have found room. */
export function checkBounds(world: World, client: Client): void {
  const own = [...world.clients.values()].filter(
    (other) => other.isWaiting && other.ticket.organization === client.ticket.organization,
  )
  const ofKey = countOf(own, client.ticket.key)
  const { queuePerKey, queuePerOrganization } = world.limits
  const isOver = (more: number) => ofKey + more > queuePerKey || own.length + more > queuePerOrganization
  if (client.isWaiting) demand(!isOver(0), () => `${client.ticket.job} waits in a queue that was full`)
  else if (client.isFinished && client.outcome === 'queue-full')
    demand(
      isOver(1),
      () => `${client.ticket.job} was refused for a full queue with ${own.length} waiting, ${ofKey} of its key`,
    )
}

function checkClient(world: World, client: Client): void {
  const { job } = client.ticket
  const { now, limits } = world
  demand(now <= client.totalUntil, () => `${job} runs beyond its total time`)
  if (!client.tries.some((attempt) => attempt.isAccepted))
    demand(now <= client.waitUntil, () => `${job} waits beyond its time`)
  if (client.isWaiting) checkNotForgotten(world, client)
  if (client.isWaiting) demand(now <= client.returnUntil, () => `${job} waits too long for a device to come back`)
  if (client.needsSecond) checkNoSecond(world, client)
  const silentMs = client.received > 0 ? limits.gapMs : limits.firstEventMs
  for (const attempt of client.tries) {
    const { isAccepted, offeredAt, lastSignAt } = attempt
    demand(isAccepted || now <= offeredAt + limits.acceptMs, () => `${job} waits for an accept too long`)
    demand(!attempt.isLoading || now <= client.waitUntil, () => `${job} waits for its model beyond its time`)
    demand(!isAccepted || now <= lastSignAt + silentMs, () => `${job} bears a silence too long`)
  }
}

/** Cheap, because few clients have a late device. A device whose pause ends right now is not free before the scheduler knows the time. */
export function checkLate(world: World): void {
  if ((world.core.nextDeadline() ?? Number.POSITIVE_INFINITY) <= world.now) return
  for (const client of world.lateOffers.clients()) checkNoSecond(world, client)
}

function checkNoSecond(world: World, client: Client): void {
  const free = unusedDevice(client, world.devices, world.now)
  demand(free === undefined, () => `${client.ticket.job} waits for a late device although ${free!.id} is free`)
}

function checkNotForgotten(world: World, client: Client): void {
  const free = idleDevice(client, world.devices, world.now, world.limits.patienceMs)
  demand(free === undefined, () => `${client.ticket.job} waits although ${free!.id} is free`)
}

/** Once the last client has left and all devices work, nothing may be left. */
export function checkEmpty(world: World): void {
  const stats = world.core.stats(world.now)
  demand(world.finished === world.submitted, () => `${world.submitted} jobs submitted, but ${world.finished} finished`)
  demand(world.clients.size === 0, () => `${world.clients.size} clients still wait`)
  demand(stats.leases === 0 && stats.jobs === 0, () => `${stats.leases} leases and ${stats.jobs} jobs are left`)
  demand(
    stats.queued === 0 && stats.waitingByOrganization.length === 0,
    () => `${stats.queued} jobs are left in queues`,
  )
  demand(world.core.nextDeadline() === undefined, () => 'a deadline is left')
}
