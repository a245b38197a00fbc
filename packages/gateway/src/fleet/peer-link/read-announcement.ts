// What a gateway says about itself on the bus. Anything else may come along the same way: from a gateway of another version, or from
// somebody who has the password of the bus.

/** Names of gateways are part of subjects, so nothing else may come in their place. */
const NAME = /^[\w-]{1,64}$/

export interface Announcement {
  from: string
  version: string
}

/** Undefined for anything else. */
export function readAnnouncement(text: string): Announcement | undefined {
  try {
    const { from, version } = JSON.parse(text) as { from?: unknown; version?: unknown }
    return isName(from) && isName(version) ? { from, version } : undefined
  } catch {
    return undefined
  }
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}
