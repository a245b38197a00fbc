import { CLOSE } from '@hearth/protocol'
import type { DeviceLink } from './device-link.ts'

/** Dials of a fleet that comes back. One takes a quarter of a millisecond, and the rest of the time is for everyone else. */
export const MS_PER_DIAL = 1
export const LEAVING = 'the gateway is shutting down'

/** To another gateway, after this time. */
export function sendAway(link: DeviceLink, reconnectInMs: number): void {
  link.send({ type: 'restarting', reconnectInMs })
  link.close(CLOSE.goingAway, LEAVING)
}
