import { Pace } from '../state/pace.ts'
import type { Device, Lane, ServedModel } from '../state/state.ts'

/** A model of a device before the device has said anything about it. It is in no list yet. */
export function newServed(device: Device, lane: Lane, pace = new Pace()): ServedModel {
  return {
    kind: 'served',
    rank: 0,
    place: -1,
    device,
    lane,
    slots: 0,
    presence: 'loaded',
    loadMs: 0,
    loadingSince: undefined,
    features: 0,
    featureCount: 0,
    digest: undefined,
    contextLength: 0,
    leased: 0,
    suspect: 0,
    isBackingOff: false,
    backoffMs: 0,
    openPlace: -1,
    lastGrant: 0,
    msPerCharacter: 0,
    pace,
  }
}
