// Whether a request would be answered right now, and if not, why.

import type { Schemas } from '../../api/client.ts'

export type Readiness =
  | { kind: 'ready'; models: string[]; devices: number }
  | { kind: 'no-device-online' | 'all-paused' | 'not-served' }

type Device = Pick<Schemas['Device'], 'id' | 'state' | 'isPaused'>
type Model = Pick<Schemas['Model'], 'name' | 'state'> & { devices: readonly { device: string }[] }

/** Ready means that an enabled model is served by a device that takes jobs: connected, not paused and not about to stop. */
export function judgeReadiness(models: readonly Model[], devices: readonly Device[]): Readiness {
  const online = devices.filter(({ state }) => state !== 'offline')
  const taking = new Set(online.filter(({ state, isPaused }) => state === 'linked' && !isPaused).map(({ id }) => id))
  const serving = models
    .filter(({ state }) => state === 'enabled')
    .map(({ name, devices: servedBy }) => ({ name, on: servedBy.filter(({ device }) => taking.has(device)) }))
    .filter(({ on }) => on.length > 0)
  if (serving.length > 0) {
    const used = new Set(serving.flatMap(({ on }) => on.map(({ device }) => device)))
    return { kind: 'ready', models: serving.map(({ name }) => name), devices: used.size }
  }
  if (online.length === 0) return { kind: 'no-device-online' }
  return { kind: taking.size === 0 ? 'all-paused' : 'not-served' }
}
