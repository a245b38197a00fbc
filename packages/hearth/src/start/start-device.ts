// Makes this machine a device, and waits until it serves a model through every gateway.

import { describeDownload, describeLive, formatBytes, type DeviceStatus, type PullLine } from '@hearth/device'
import type { Store } from '@hearth/gateway'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDeviceFolder, type DeviceFolder } from './device-part.ts'
import { enableNewModels, makeEnrolment, type Household } from './first-run.ts'
import type { Gateways } from './gateways.ts'
import type { LaunchContext } from './launch-context.ts'
import type { Options } from './options.ts'
import type { Screen } from '../terminal/screen.ts'
import { waitUntilReady } from './wait-until-ready.ts'

const LOOK_MS = 250

export interface Place {
  gateways: Gateways
  store: Store
  household: Household
  options: Options
}

/** Returns the names of its models. */
export async function startDevice(place: Place, { parts, screen, log }: LaunchContext): Promise<string[]> {
  const { gateways, store, household, options } = place
  const folder = openDeviceFolder(options)
  const tell = (text: string) => screen.step(text)
  await enrol(folder, place, tell)
  // Here, because the app would go on without the starter model, and nobody could use what was started.
  if (options.model !== 'starter' || folder.wantsStarter()) await addModel(folder, options.model, screen)
  await parts.start(folder.createPart(tell, (line) => log.add('device', line)))
  const models = await waitUntilServing(folder, screen)
  await enableNewModels(store, household.organization, models)
  await waitUntilReady(gateways)
  return models
}

/** If this machine was removed in the console, it is added again: `npm start` is about this machine. */
async function enrol(folder: DeviceFolder, place: Place, tell: (text: string) => void): Promise<void> {
  const { gateways, store, household } = place
  const known = folder.device()
  const isMember = (await store.listDevices(household.organization)).some(({ id }) => id === known)
  if (isMember) return folder.pointAt(gateways.url)
  tell('device: adding this machine')
  await folder.login(gateways.url, await makeEnrolment(store, household.organization))
}

/** Those that are not in memory load when a request needs them. */
function usable({ models }: DeviceStatus): string[] {
  return models.filter(({ state }) => state !== 'failed' && state !== 'stopped').map(({ name }) => name)
}

async function addModel(folder: DeviceFolder, source: string, screen: Screen): Promise<void> {
  const show = (line: PullLine): void => {
    if (line.type === 'progress') screen.move(`device: ${line.label}: ${describeDownload(line.progress)}`)
    else if (line.type !== 'ready') screen.step(`device: ${line.text}`)
  }
  const { name, bytes } = await folder.pull(source, show, new AbortController().signal)
  screen.step(`device: ${name} is here (${formatBytes(bytes)})`)
}

/** Also ends if the device can't serve any model: the console and the panel are where someone sees that and helps. */
export async function waitUntilServing(
  folder: Pick<DeviceFolder, 'status'>,
  screen: Pick<Screen, 'step' | 'move'>,
): Promise<string[]> {
  for (;;) {
    const status = folder.status()
    if (status?.link.name === 'linked') {
      if (status.models.some(({ state }) => state === 'serving')) return usable(status)
      const problems = problemsOf(status)
      for (const problem of problems) screen.step(`device: ${problem}`)
      if (problems.length > 0) return usable(status)
    }
    if (status) screen.move(`device: ${describeLive(status)}`)
    await sleep(LOOK_MS)
  }
}

/** Why no model will be served soon. The app tries again what failed, with longer and longer pauses. */
function problemsOf({ models, permission }: DeviceStatus): string[] {
  if (!permission.allowed) return [`not serving: ${permission.why}`]
  const hasHope = models.some(({ state }) => state !== 'failed')
  return hasHope ? [] : models.map(({ name, why }) => `can't serve ${name}: ${why}`)
}
