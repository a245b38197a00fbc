// Every bound, by its name, in the groups of docs/security.md.

import { DEVICE_BOUNDS } from './device-bounds.ts'
import { PEER_BOUNDS } from './peer-bounds.ts'
import { PEOPLE_BOUNDS } from './people-bounds.ts'
import { REQUEST_BOUNDS } from './request-bounds.ts'

export const BOUND_GROUPS = {
  requests: REQUEST_BOUNDS,
  devices: DEVICE_BOUNDS,
  people: PEOPLE_BOUNDS,
  peers: PEER_BOUNDS,
}

export const BOUNDS = { ...REQUEST_BOUNDS, ...DEVICE_BOUNDS, ...PEOPLE_BOUNDS, ...PEER_BOUNDS }

export type BoundName = keyof typeof BOUNDS
