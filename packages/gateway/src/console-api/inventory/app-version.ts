// Whether a device app is outdated. Gateway and device app are released together, so the newest app has the gateway's version.

import { readFileSync } from 'node:fs'

const OWN_VERSION = readOwnVersion()

export function isOlder(app: string | undefined, newest: string = OWN_VERSION): boolean {
  const [one, other] = [parts(app ?? ''), parts(newest)]
  if (!one || !other) return false
  const place = one.findIndex((part, index) => part !== other[index])
  return place !== -1 && one[place]! < other[place]!
}

/** Undefined if the text is not a version and cannot be compared. */
function parts(version: string): number[] | undefined {
  const [, ...numbers] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version) ?? []
  return numbers.length === 3 ? numbers.map(Number) : undefined
}

function readOwnVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
