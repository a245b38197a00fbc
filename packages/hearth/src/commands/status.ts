// `hearth status`: what runs on this machine.

import { describeStatus, readStatus, stateFolder, type DeviceStatus } from '@hearth/device'
import type { Instance } from '@hearth/instances'
import { findDevice, findInstance } from './find-instance.ts'
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
  else return sayRest(found?.instance, say)
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
  const { url, folder, pid, startedAt, deviceHome } = instance
  return [
    'Hearth is running.',
    '',
    `  Base URL   ${url}/openai/v1`,
    `  Console    ${url}/ (to open it: hearth open)`,
    `  Data       ${folder}`,
    `  Process    ${pid}, since ${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    `  Health     ${[status, ...reasons].join('\n             ')}`,
    '',
    ...(deviceHome === undefined ? [] : describeDevice(device)),
  ]
}

function describeDevice(device: DeviceStatus | undefined): string[] {
  if (device === undefined) return ['  The device of this machine is not running yet. To see why: hearth logs']
  return describeStatus(device, new Date()).map(({ text }) => `  ${text}`)
}

function sayRest(stopped: Instance | undefined, say: Say): number {
  const device = findDevice(process.env)
  if (device) say(`A device runs here, for the gateway at ${device.url}. For more: hearth device status`)
  if (stopped || !device) say(describeRest(stopped))
  return device && !stopped ? 0 : NOT_RUNNING
}
