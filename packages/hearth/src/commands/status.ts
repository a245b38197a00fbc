// `hearth status`: what runs on this machine.

import { describeStatus, readStatus, stateFolder, type DeviceStatus } from '@hearth/device'
import type { Instance } from '@hearth/instances'
import { findDevice, findInstance } from './find-instance.ts'
import { describeRest, NOT_RUNNING } from './not-running.ts'
import type { Say } from './say.ts'

export function showStatus({ data, isJson }: { data: string | undefined; isJson: boolean }, say: Say): number {
  const found = findInstance({ data, environment: process.env })
  const running = found?.isRunning === true ? found.instance : undefined
  const device = running && readDevice(running)
  if (isJson) console.log(JSON.stringify({ isRunning: false, ...found, ...(device && { device }) }, null, 2))
  else if (running) say(describe(running, device).join('\n'))
  else return sayRest(found?.instance, say)
  return running ? 0 : NOT_RUNNING
}

function readDevice({ deviceHome }: Instance): DeviceStatus | undefined {
  return deviceHome === undefined ? undefined : readStatus(stateFolder(deviceHome).status, new Date())
}

function describe({ url, folder, pid, startedAt, deviceHome }: Instance, device: DeviceStatus | undefined): string[] {
  return [
    'Hearth is running.',
    '',
    `  Base URL   ${url}/openai/v1`,
    `  Console    ${url}/ (to open it: hearth open)`,
    `  Data       ${folder}`,
    `  Process    ${pid}, since ${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
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
