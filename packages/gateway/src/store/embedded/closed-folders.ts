// How a user without rights gets to files below a folder that is closed to others, such as root's home: the process sees an empty folder in
// its place, with nothing but these files where they belong. It needs a mount namespace, which many containers forbid.

import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OTHERS_ENTER = 0o001
/** The arguments: the folder, the programs, the closed folders, `--`, and the command. */
const REACH = `set -e
umask 022
exec 3<"$1" 4<"$2"
folder=$1 programs=$2
shift 2
until [ "$1" = -- ]; do mount -t tmpfs -o mode=711,size=1m,nosuid,nodev hearth "$1"; shift; done
shift
mkdir -p "$folder" "$programs"
mount --no-canonicalize --rbind /proc/self/fd/3 "$folder"
mount --no-canonicalize --rbind /proc/self/fd/4 "$programs"
exec 3<&- 4<&-
exec "$@"`

/** The first folder on the way to this one that only some can get through. */
export function closedAbove(path: string): string | undefined {
  const parent = dirname(path)
  if (parent === path) return undefined
  return closedAbove(parent) ?? ((statSync(parent).mode & OTHERS_ENTER) === 0 ? parent : undefined)
}

/** What is put in front of a command that has to reach both. Undefined if everybody can. */
export function reaching(folder: string, programs: string): string[] | undefined {
  const paths = [realpathSync(folder), realpathSync(programs)]
  const closed = new Set(paths.flatMap((path) => closedAbove(path) ?? []))
  if (closed.size === 0) return undefined
  return ['unshare', '--mount', '--', 'sh', '-c', REACH, 'sh', ...paths, ...closed, '--']
}
