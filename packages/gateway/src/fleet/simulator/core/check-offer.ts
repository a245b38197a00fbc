// The promises about every single offer.

import type { Ms } from '../../scheduler/core/types.ts'
import { freeDevices, unusedDevice } from './availability.ts'
import type { Client } from './client.ts'
import type { Device } from './device.ts'
import { demand } from '../violation.ts'

export function checkOffer(client: Client, device: Device, devices: ReadonlyMap<string, Device>, now: Ms): void {
  const { job, organization, model } = client.ticket
  demand(device.organization === organization, () => `${job} was offered to a device of another organization`)
  demand(!device.isDraining, () => `${job} was offered to a device that drains`)
  demand(device.canServe(model, client.features), () => `${job} was offered to a device that can't do it`)
  const served = device.served.get(model)!
  demand(served.hasRoom, () => `${job} was offered to a device without a free slot`)
  demand(served.quietUntil <= now, () => `${job} was offered to a device that just refused`)
  if (!client.isWaiting) checkSecond(client, device, device.hasLoaded(model))
  if (client.failedOn.includes(device.id)) checkNoOther(client, devices, now)
  if (device.isLate) checkNoPrompt(client, devices, now)
  if (!device.hasLoaded(model)) checkNoneLoaded(client, devices, now)
}

function checkNoneLoaded(client: Client, devices: ReadonlyMap<string, Device>, now: Ms): void {
  const other = unusedDevice(client, devices, now)
  demand(
    other === undefined,
    () => `${client.ticket.job} was offered to a device that has to load its model, while ${other!.id} is free`,
  )
}

function checkSecond({ ticket, failedOn }: Client, { id, isLate }: Device, isLoaded: boolean): void {
  demand(!isLate, () => `${ticket.job} was offered to a second device that is late too`)
  demand(!failedOn.includes(id), () => `${ticket.job} was offered a second time to a device that failed it`)
  demand(isLoaded, () => `${ticket.job} makes a second device load its model`)
}

function checkNoPrompt(client: Client, devices: ReadonlyMap<string, Device>, now: Ms): void {
  const other = unusedDevice(client, devices, now)
  demand(other === undefined, () => `${client.ticket.job} was offered to a late device, while ${other!.id} is free`)
}

function checkNoOther(client: Client, devices: ReadonlyMap<string, Device>, now: Ms): void {
  const other = freeDevices(devices, client, now).find((device) => !client.failedOn.includes(device.id))
  demand(
    other === undefined,
    () => `${client.ticket.job} was offered to a device that failed it, while ${other!.id} is free`,
  )
}
