// `hearth status`: what runs on this machine.

import { describeStatus, readStatus, stateFolder, type DeviceStatus } from '@hearth/device'
import type { Instance } from '@hearth/instances'
import { findDevice, findInstance, namedFolder } from './find-instance.ts'
import { describeRest, NOT_RUNNING } from './not-running.ts'
import type { Say } from './say.ts'

const HEALTH_MS = 2_000

/** As /readyz says it. */
interface Health {
  status: string
  reasons?: string[]
  checks?: Record<string, string>
}

export async function showStatus(
  { data, isJson }: { data: string | undefined; isJson: boolean },
  say: Say,
): Promise<number> {
  const found = findInstance({ data, environment: process.env })
  const running = found?.isRunning === true ? found.instance : undefined
  const device = running && readDevice(running)
  const health = running && (await readHealth(running))
  if (isJson)
    console.log(
      JSON.stringify({ isRunning: false, ...found, ...(health && { health }), ...(device && { device }) }, null, 2),
    )
  else if (running && health) say(describe(running, health, device).join('\n'))
  else return sayRest(found?.instance, data, say)
  return running ? 0 : NOT_RUNNING
}

function readDevice({ deviceHome }: Instance): DeviceStatus | undefined {
  return deviceHome === undefined ? undefined : readStatus(stateFolder(deviceHome).status, new Date())
}

async function readHealth({ url }: Instance): Promise<Health> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(HEALTH_MS) })
    return (await reply.json()) as Health
  } catch {
    return { status: 'no answer', reasons: ['the gateway does not answer. To see why: hearth logs'] }
  }
}

function describe(instance: Instance, { status, reasons = [] }: Health, device: DeviceStatus | undefined): string[] {
  const { kind, url, publicUrl = url, folder, database, pid, startedAt, deviceHome } = instance
  return [
    kind === 'hearth' ? 'Hearth is running.' : describeGateway(instance),
    '',
    `  Base URL   ${publicUrl}/openai/v1`,
    ...(publicUrl === url ? [] : [`             ${url} on this machine`]),
    `  Console    ${publicUrl}/ (to open it: hearth open)`,
    `  Data       ${kind === 'gateway' && database === undefined ? 'in another PostgreSQL' : folder}`,
    `  Process    ${pid}, since ${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    `  Health     ${[status, ...reasons].join('\n             ')}`,
    '',
    ...(deviceHome === undefined ? [] : describeDevice(device)),
  ]
}

function describeGateway({ unit }: Instance): string {
  return `A gateway is running, ${unit === undefined ? 'started on its own' : `run by systemd (${unit})`}.`
}

function describeDevice(device: DeviceStatus | undefined): string[] {
  if (device === undefined) return ['  The device of this machine is not running yet. To see why: hearth logs']
  return describeStatus(device, new Date()).map(({ text }) => `  ${text}`)
}

function sayRest(stopped: Instance | undefined, data: string | undefined, say: Say): number {
  const device = namedFolder(data, process.env) === undefined ? findDevice(process.env) : undefined
  if (device) say(`A device runs here, for the gateway at ${device.url}. For more: hearth device status`)
  if (stopped || !device) say(describeRest(stopped, data))
  return device && !stopped ? 0 : NOT_RUNNING
}
