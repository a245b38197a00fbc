import { readFileSync } from 'node:fs'
import { versionOf } from '@hearth/command-line/version'

/** All parts of Hearth are released together, with this version. */
export const OWN_VERSION = versionOf(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string },
)

/** Says that a newer version has changed something, and which one to start. */
export function newerVersion(what: string, version: string | undefined): string {
  const name = version === undefined || version === OWN_VERSION ? 'that version' : `Hearth ${version}`
  return (
    `a newer version of Hearth has changed ${what}, and this one (${OWN_VERSION}) cannot read that. Start ${name} or a later one, or restore ` +
    `a backup from before the upgrade`
  )
}

/** Whether a device app is outdated: the newest one has the gateway's version. */
export function isOlder(app: string | undefined, newest: string = OWN_VERSION): boolean {
  const [one, other] = [sortable(app ?? ''), sortable(newest)]
  return one !== undefined && other !== undefined && one < other
}

/** Text that sorts as the versions do. Undefined if it is not a version and cannot be compared. */
function sortable(version: string): string | undefined {
  const [, ...numbers] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version) ?? []
  return numbers.length === 3 ? numbers.map((number) => number.padStart(6, '0')).join('.') : undefined
}
