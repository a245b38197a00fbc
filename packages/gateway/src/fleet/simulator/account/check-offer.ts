// The promises about every single offer.

import type { Ms } from '../../terms/job.ts'
import { demandNoOther, freeDevice, unusedDevice } from './availability.ts'
import type { KnownJob } from './known-job.ts'
import type { KnownDevice } from './known-device.ts'
import { demand } from '../violation.ts'

export function checkOffer(
  job: KnownJob,
  device: KnownDevice,
  devices: ReadonlyMap<string, KnownDevice>,
  now: Ms,
): void {
  const { job: id, organization, model } = job.ticket
  demand(device.organization === organization, () => `${id} was offered to a device of another organization`)
  demand(!device.isDraining, () => `${id} was offered to a device that drains`)
  demand(device.canServe(model, job.features), () => `${id} was offered to a device that can't do it`)
  demand(job.isFor(device.id), () => `${id} was offered to a device that it was not sealed for`)
  const served = device.served.get(model)!
  demand(served.hasRoom, () => `${id} was offered to a device without a free slot`)
  // Two slots may be leased at once, and the device refuses the first job before the other is offered.
  const isQuiet = served.quietUntil > now && served.refusedAt < now
  demand(!isQuiet, () => `${id} was offered to a device that just refused`)
  if (!job.isWaiting) checkSecond(job, device, device.hasLoaded(model))
  if (job.failedOn.includes(device.id)) {
    const other = freeDevice(devices, job, now, (another) => !job.failedOn.includes(another.id))
    demandNoOther(job, 'was offered to a device that failed it', other)
  }
  if (device.isLate) demandNoOther(job, 'was offered to a late device', unusedDevice(job, devices, now))
  if (!device.hasLoaded(model))
    demandNoOther(job, 'was offered to a device that has to load its model', unusedDevice(job, devices, now))
}

function checkSecond({ ticket, failedOn }: KnownJob, { id, isLate }: KnownDevice, isLoaded: boolean): void {
  demand(!isLate, () => `${ticket.job} was offered to a second device that is late too`)
  demand(!failedOn.includes(id), () => `${ticket.job} was offered a second time to a device that failed it`)
  demand(isLoaded, () => `${ticket.job} makes a second device load its model`)
}
