// Shows devices and administrators: which are approved, and with which key.

import { formatTable } from '@hearth/command-line/terminal/table'
import { fingerprintOf, newestApps, sealText } from '@hearth/sealing'
import type { Context } from './context.ts'
import { openSeal, type OpenSeal } from './open-seal.ts'

export type DeviceState = 'approved' | 'new key' | 'not approved' | 'too old'

export interface ListedDevice {
  id: string
  name: string
  state: DeviceState
  isOnline: boolean
  /** Of the key that it has now, or was approved with; undefined if it has none. */
  fingerprint: { words: string; hex: string } | undefined
}

export async function list({ isJson }: { isJson: boolean }, context: Context): Promise<void> {
  const { world, screen } = context
  const open = await openSeal(context)
  const devices = listDevices(open)
  const { organization, apps, seen } = open.trusted
  const number = seen.devices?.number ?? 0
  const administrators = open.trusted.administrators.map(({ name, key }) => ({ name, key: sealText(key, 'ha') }))
  if (isJson) {
    const { mode } = open.information
    const listed = { organization, mode, seal: open.seal, number, devices, administrators, apps }
    world.stdout.write(`${JSON.stringify(listed)}\n`)
    return
  }
  screen.line('info', `Seal ${open.seal}, list ${number} of organization ${organization}`)
  screen.line('info', `Sealed requests are ${open.information.mode}`)
  if (devices.length === 0) screen.line('info', 'No devices are approved or online')
  else world.stdout.write(formatTable([['NAME', 'STATE', 'ONLINE', 'ID', 'FINGERPRINT'], ...devices.map(toRow)]))
  for (const { program, version, sha256 } of newestApps(apps))
    screen.line('info', `May be installed: ${program} ${version}, ${sha256}`)
  screen.line('info', `Files of hearth-seal are in ${context.folder.path}`)
  for (const { name, key } of administrators) screen.line('info', `Administrator ${name}: ${key}`)
}

export function listDevices({ information, trusted }: OpenSeal): ListedDevice[] {
  const online = information.online.map(({ id, name, key }) => ({
    id,
    name,
    state: stateOf(key, trusted.devices.find((device) => device.id === id)?.key),
    isOnline: true,
    fingerprint: key === undefined ? undefined : fingerprintOf(key),
  }))
  const offline = trusted.devices
    .filter(({ id }) => !information.online.some((device) => device.id === id))
    .map(({ id, name, key }) => ({
      id,
      name,
      state: 'approved' as const,
      isOnline: false,
      fingerprint: fingerprintOf(key),
    }))
  return [...online, ...offline].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function stateOf(key: string | undefined, approved: string | undefined): DeviceState {
  if (key === undefined) return 'too old'
  if (approved === undefined) return 'not approved'
  return key === approved ? 'approved' : 'new key'
}

function toRow({ id, name, state, isOnline, fingerprint }: ListedDevice): string[] {
  return [name, state, isOnline ? 'yes' : 'no', id, fingerprint?.words ?? '–']
}
