// `hearth status`: what runs on this machine.

import { describeStatus, readStatus, stateFolder, type DeviceStatus } from '@hearth/device'
import type { Instance } from '@hearth/instances'
import { findDevice, findInstance, startLine } from './find-instance.ts'

/** Differs from 1, so that scripts can tell it from an error. */
const NOT_RUNNING = 3

export function showStatus({ data, isJson }: { data: string | undefined; isJson: boolean }): number {
  const found = findInstance(data, process.env)
  const running = found?.isRunning === true ? found.instance : undefined
  const device = running && readDevice(running)
  if (isJson) console.log(JSON.stringify({ isRunning: false, ...found, ...(device && { device }) }, null, 2))
  else if (running) console.log(describe(running, device).join('\n'))
  else return describeRest(found?.instance)
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

function describeRest(stopped: Instance | undefined): number {
  const where = stopped ? ` Its data is in ${stopped.folder}.` : ''
  const device = findDevice(process.env)
  if (device) console.log(`A device runs here, for the gateway at ${device.url}. For more: hearth device status`)
  if (stopped || !device) console.log(`Hearth is not running.${where} To start it: ${startLine(stopped)}`)
  return device && !stopped ? 0 : NOT_RUNNING
}
