// Joins the signed lists with the devices that there are. Whoever put a list has checked it against the seal.

import {
  fingerprintOf,
  readAdministrators,
  readDeviceList,
  readSealText,
  sealText,
  type Administrator,
  type DeviceList,
  type TrustedDevice,
} from '@hearth/sealing'
import type { FleetDevice } from '../../fleet/fleet.ts'
import type { Device } from '../../store/devices/device-rows.ts'
import type { Sealing } from '../../store/sealing.ts'

export interface Devices {
  /** All devices of the organization. */
  known: readonly Pick<Device, 'id' | 'name'>[]
  /** Those that are connected. */
  linked: readonly Pick<FleetDevice, 'id' | 'sealKey'>[]
}

/** Of devices that are on the list but no longer here: enough to act on, and no list that only its signer knows is sent in full. */
export const MOST_REMOVED = 100

export function describeSealing(sealing: Sealing, devices: Devices) {
  const seal = sealing.seal === undefined ? undefined : readSealText(sealing.seal)?.publicKey
  const list = readList(sealing)
  return {
    mode: sealing.mode,
    seal: sealing.seal && seal ? { text: sealing.seal, fingerprint: fingerprintOf(seal) } : null,
    list: list ? { number: list.number, signedAt: new Date(list.signedAt).toISOString() } : null,
    administrators: readAdministratorsOf(sealing, seal).map(showAdministrator),
    devices: describeDevices(list?.devices ?? [], devices),
  }
}

function readList({ devices }: Sealing): DeviceList | undefined {
  const result = devices && readDeviceList(devices, [devices.key])
  return result?.kind === 'read' ? result.document : undefined
}

function readAdministratorsOf({ administrators }: Sealing, seal: string | undefined): readonly Administrator[] {
  const result = administrators && seal ? readAdministrators(administrators, seal) : undefined
  return result?.kind === 'read' ? result.document.administrators : []
}

function showAdministrator({ name, key }: Administrator) {
  return { name, key: sealText(key, 'ha'), fingerprint: fingerprintOf(key) }
}

function describeDevices(trusted: readonly TrustedDevice[], { known, linked }: Devices) {
  const listed = new Map(trusted.map((device) => [device.id, device]))
  const online = new Map(linked.map((device) => [device.id, device]))
  const here = known.map(({ id, name }) => {
    const key = online.get(id)?.sealKey ?? (online.has(id) ? undefined : listed.get(id)?.key)
    return {
      id,
      name,
      isOnline: online.has(id),
      state: stateOf(online.get(id), listed.get(id)),
      fingerprint: key === undefined ? null : fingerprintOf(key),
    }
  })
  const ids = new Set(known.map(({ id }) => id))
  const removed = trusted.filter(({ id }) => !ids.has(id)).slice(0, MOST_REMOVED)
  return [...here, ...removed.map(showRemoved)]
}

/** A device that is offline has no key to compare: clients use the one on the list. */
function stateOf(online: Pick<FleetDevice, 'sealKey'> | undefined, listed: TrustedDevice | undefined) {
  if (online && online.sealKey === undefined) return 'no-key' as const
  if (!listed) return 'not-approved' as const
  return online === undefined || online.sealKey === listed.key ? ('approved' as const) : ('new-key' as const)
}

function showRemoved({ id, name, key }: TrustedDevice) {
  return { id, name, isOnline: false, state: 'removed' as const, fingerprint: fingerprintOf(key) }
}
