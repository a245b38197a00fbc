// Decides for whom a job is sealed: devices that the seal approves, with the key that it approves, and never any other.

import { MAX_SEAL_KEYS } from '@hearth/protocol'
import type { TrustedDevice } from '@hearth/sealing'
import type { OnlineDevice } from '../gateway/seal-information.ts'

/**
 * Devices that are online with the model come first, in the gateway's order, which has most room first. Others follow, so that a job can
 * wait for one that comes back. What the gateway says about a device decides about its place alone.
 */
export function chooseDevices(trusted: readonly TrustedDevice[], online: readonly OnlineDevice[]): TrustedDevice[] {
  const byId = new Map(trusted.map((device) => [device.id, device]))
  const first = new Set(online.flatMap(({ id }) => byId.get(id) ?? []))
  const others = trusted.filter((device) => !first.has(device))
  return [...first, ...others].slice(0, MAX_SEAL_KEYS)
}
