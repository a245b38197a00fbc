// Which devices could do a client's job, by the world's own account.

import type { Client } from './client.ts'
import type { Device } from './device.ts'
import { demand } from '../violation.ts'

type Devices = ReadonlyMap<string, Device>

/** A device that serves the model can do it, or none serves it at all. */
export function isDoable(devices: Devices, { ticket, features }: Client): boolean {
  let isServed = false
  for (const device of devices.values()) {
    if (!device.isUp || device.isDraining || device.organization !== ticket.organization) continue
    if (device.canServe(ticket.model, features)) return true
    isServed ||= device.serves(ticket.model)
  }
  return !isServed
}

/** Devices that could start the job now. */
export function freeDevices(devices: Devices, client: Client, now: number): Device[] {
  const { ticket, features, excluded } = client
  const own = [...devices.values()].filter((device) => device.organization === ticket.organization)
  const able = own.filter((device) => device.isFree(ticket.model, features, now) && !excluded.includes(device.id))
  return able.filter((device) => client.couldRunOn(device.served.get(ticket.model)!))
}

/** A device that could start the job now, has the model loaded, answers in time and has not failed it. */
export function unusedDevice(client: Client, devices: Devices, now: number): Device | undefined {
  const { ticket, failedOn } = client
  return freeDevices(devices, client, now).find(
    (device) => device.hasLoaded(ticket.model) && !device.isLate && !failedOn.includes(device.id),
  )
}

/** A free device that the job has no reason to wait for: it has the model, nobody else has, or the job has waited long enough. */
export function idleDevice(client: Client, devices: Devices, now: number, patienceMs: number): Device | undefined {
  const { ticket, failedOn, submittedAt } = client
  const mayLoad = now > submittedAt + patienceMs || !isNear(client, devices, now)
  return freeDevices(devices, client, now).find(
    (device) => (mayLoad || device.has(ticket.model)) && !failedOn.includes(device.id),
  )
}

/** Some device that can do the job has its model, even if its slots are taken. */
function isNear(client: Client, devices: Devices, now: number): boolean {
  const { ticket, features, excluded } = client
  return [...devices.values()].some(
    (device) =>
      device.isUp &&
      !device.isDraining &&
      device.organization === ticket.organization &&
      device.canServe(ticket.model, features) &&
      device.has(ticket.model) &&
      client.couldRunOn(device.served.get(ticket.model)!) &&
      device.served.get(ticket.model)!.quietUntil <= now &&
      !excluded.includes(device.id),
  )
}

/** A device that could continue what the client has is there, even if it takes no jobs right now. */
export function hasSuccessor(devices: Devices, client: Client): boolean {
  const { ticket, features } = client
  return [...devices.values()].some((device) => {
    if (!device.isUp || device.organization !== ticket.organization) return false
    return device.canServe(ticket.model, features) && client.couldRunOn(device.served.get(ticket.model)!)
  })
}

/** After a change of a device: a waiting job that the change concerns must be doable, or it should have been refused. */
export function checkStillDoable(
  { devices, clients }: { devices: Devices; clients: ReadonlyMap<string, Client> },
  device: Device,
  isConcerned: (client: Client) => boolean,
): void {
  for (const client of clients.values())
    if (client.isWaiting && device.organization === client.ticket.organization && isConcerned(client))
      demand(
        isDoable(devices, client),
        () => `${client.ticket.job} waits although no device that serves its model can do it`,
      )
}
