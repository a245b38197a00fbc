// Whether a device app is outdated. Gateway and device app are released together, so the newest app has the gateway's version.

import { OWN_VERSION } from '../../own-version.ts'

export function isOlder(app: string | undefined, newest: string = OWN_VERSION): boolean {
  const [one, other] = [sortable(app ?? ''), sortable(newest)]
  return one !== undefined && other !== undefined && one < other
}

/** Text that sorts as the versions do. Undefined if it is not a version and cannot be compared. */
function sortable(version: string): string | undefined {
  const [, ...numbers] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version) ?? []
  return numbers.length === 3 ? numbers.map((number) => number.padStart(6, '0')).join('.') : undefined
}
