// Which devices could do a job's job, by the simulator's own account.

import type { KnownJob } from './known-job.ts'
import type { KnownDevice, Served } from './known-device.ts'
import { demand } from '../violation.ts'

type Devices = ReadonlyMap<string, KnownDevice>

/** A device that serves the model can do it, or none serves it at all. */
export function isDoable(devices: Devices, job: KnownJob): boolean {
  const { ticket, features } = job
  let isServed = false
  for (const device of devices.values()) {
    if (!job.isFor(device.id) || !device.isUp || device.isDraining || device.organization !== ticket.organization)
      continue
    if (device.canServe(ticket.model, features)) return true
    isServed ||= device.serves(ticket.model)
  }
  return !isServed
}

/** A device that could start the job now and is `suitable`. */
export function freeDevice(
  devices: Devices,
  job: KnownJob,
  now: number,
  suitable: (device: KnownDevice) => boolean,
): KnownDevice | undefined {
  const { ticket, features, excluded } = job
  for (const device of devices.values()) {
    if (device.organization !== ticket.organization || !device.isFree(ticket.model, features, now)) continue
    if (!job.isFor(device.id) || excluded.includes(device.id)) continue
    if (job.couldRunOn(device.served.get(ticket.model)!) && suitable(device)) return device
  }
  return undefined
}

/** A device that could start the job now, has the model loaded, answers in time and has not failed it. */
export function unusedDevice(job: KnownJob, devices: Devices, now: number): KnownDevice | undefined {
  const { ticket, failedOn } = job
  return freeDevice(
    devices,
    job,
    now,
    (device) => device.hasLoaded(ticket.model) && !device.isLate && !failedOn.includes(device.id),
  )
}

/**
 * A free device that the job has no reason to wait for: it has the model, nobody else has, or the job has waited long enough. Beside a free one
 * that could start at once, the job may wait for a slot of another that is at work: that may end it sooner.
 */
export function idleDevice(job: KnownJob, devices: Devices, now: number, patienceMs: number): KnownDevice | undefined {
  const { ticket, failedOn, submittedAt } = job
  if (isAnyAtWork(job, devices, now) && unusedDevice(job, devices, now) !== undefined) return undefined
  const mayLoad = now > submittedAt + patienceMs || !isNear(job, devices, now)
  return freeDevice(
    devices,
    job,
    now,
    (device) => (mayLoad || device.has(ticket.model)) && !failedOn.includes(device.id),
  )
}

/** A device that has the model, answers in time and has not failed the job, with all slots taken. */
function isAnyAtWork(job: KnownJob, devices: Devices, now: number): boolean {
  const { excluded, failedOn } = job
  return someSuccessor(
    devices,
    job,
    (device, served) =>
      !device.isDraining &&
      !device.isLate &&
      served.isPresent &&
      served.held > 0 &&
      !served.hasRoom &&
      served.quietUntil <= now &&
      !excluded.includes(device.id) &&
      !failedOn.includes(device.id),
  )
}

/** Some device that can do the job has its model, even if its slots are taken. */
function isNear(job: KnownJob, devices: Devices, now: number): boolean {
  const { excluded } = job
  return someSuccessor(
    devices,
    job,
    (device, served) =>
      !device.isDraining && served.isPresent && served.quietUntil <= now && !excluded.includes(device.id),
  )
}

/** A device that could continue what the job has is there, even if it takes no jobs right now. */
export function hasSuccessor(devices: Devices, job: KnownJob): boolean {
  return someSuccessor(devices, job, () => true)
}

function someSuccessor(
  devices: Devices,
  job: KnownJob,
  suitable: (device: KnownDevice, served: Served) => boolean,
): boolean {
  const { ticket, features } = job
  for (const device of devices.values()) {
    if (!device.isUp || !job.isFor(device.id) || device.organization !== ticket.organization) continue
    if (!device.canServe(ticket.model, features)) continue
    const served = device.served.get(ticket.model)!
    if (job.couldRunOn(served) && suitable(device, served)) return true
  }
  return false
}

/** After a change of a device: a waiting job that the change concerns must be doable, or it should have been refused. */
export function checkStillDoable(
  { devices, jobs }: { devices: Devices; jobs: ReadonlyMap<string, KnownJob> },
  device: KnownDevice,
  isConcerned: (job: KnownJob) => boolean,
): void {
  for (const job of jobs.values()) {
    if (!job.isWaiting || device.organization !== job.ticket.organization || !isConcerned(job)) continue
    demand(isDoable(devices, job), () => `${job.ticket.job} waits although no device that serves its model can do it`)
  }
}

/** What happens to the job is wrong if there is another device for it. */
export function demandNoOther(
  { ticket }: KnownJob,
  happens: string,
  other: KnownDevice | undefined,
  conjunction = 'while',
): void {
  demand(other === undefined, () => `${ticket.job} ${happens} ${conjunction} ${other?.id} is free`)
}
