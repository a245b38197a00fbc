// Offers the models of local servers that run on this machine, such as Ollama: one key press has the device serve them, and each is enabled as
// soon as it is tested. The device has looked for them at its start, and its own line names the command for other places.

import { setTimeout as sleep } from 'node:timers/promises'
import { describeSeen, type DeviceStatus, type FoundServer } from '@hearth/device'
import type { DeviceFolder } from '../start/device-part.ts'
import type { Screen } from '../terminal/screen.ts'

export interface ServersOfferWorld {
  folder: Pick<DeviceFolder, 'serve' | 'status'>
  screen: Pick<Screen, 'print' | 'step'>
  /** Resolves when someone presses O; undefined if nobody is there to do it. */
  pressed: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Lets API keys use models. */
  enable: (names: readonly string[]) => Promise<void>
  /** A request to paste. */
  requestFor: (name: string) => string
}

const LOOK_MS = 250

/** Ends when all their models are enabled, or when there is nothing to offer. */
export async function offerServers(world: ServersOfferWorld, signal: AbortSignal): Promise<void> {
  const found = await untilFound(world, signal)
  const open = found.filter(({ isServed }) => !isServed)
  const served = found.filter(({ isServed }) => isServed)
  // A start that ended early may have left some of their models.
  await Promise.all([enableAll(served, world, () => undefined, signal), offer(open, world, signal)])
}

async function offer(servers: readonly FoundServer[], world: ServersOfferWorld, signal: AbortSignal): Promise<void> {
  const { folder, screen, pressed, requestFor } = world
  if (servers.length === 0 || pressed === undefined || signal.aborted) return
  screen.print(`  ${servers.map(describeSeen).join('.\n  ')}. Press O to serve them too.\n`)
  await pressed(signal)
  if (signal.aborted) return
  folder.serve(servers.map(({ url }) => url))
  screen.step('Testing their models; each is served and enabled as soon as that is done')
  let isFirst = true
  const onReady = (name: string): void => {
    if (isFirst) screen.print(`\n  ${name} is ready. Your apps call it by this name:\n\n  ${requestFor(name)}\n`)
    else screen.step(`${name} is ready`)
    isFirst = false
  }
  await enableAll(servers, world, onReady, signal)
}

async function enableAll(
  servers: readonly FoundServer[],
  { folder, enable }: ServersOfferWorld,
  onReady: (name: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(servers.flatMap(({ models }) => models))
  if (missing.size === 0) return
  for await (const { models } of statuses(folder, signal)) {
    const ready = models.filter(({ name, state }) => state === 'serving' && missing.has(name)).map(({ name }) => name)
    if (ready.length > 0) await enable(ready)
    for (const name of ready) {
      missing.delete(name)
      onReady(name)
    }
    if (missing.size === 0) return
  }
}

async function untilFound({ folder }: ServersOfferWorld, signal: AbortSignal): Promise<readonly FoundServer[]> {
  for await (const { servers } of statuses(folder, signal)) if (servers !== undefined) return servers
  return []
}

/** What the device says about itself, again and again until Hearth stops. */
async function* statuses(folder: Pick<DeviceFolder, 'status'>, signal: AbortSignal): AsyncGenerator<DeviceStatus> {
  while (!signal.aborted) {
    const status = folder.status()
    if (status !== undefined) yield status
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}
