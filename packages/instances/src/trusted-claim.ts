// The claim of a Hearth that a command may act on. Anybody can write a file that names a process, so it counts only for a Hearth that runs as
// the account whose file it is. A start asks less (`readClaim`): it only refuses.

import { lstatSync } from 'node:fs'
import { isOurs } from '@hearth/command-line/files/private-folder'
import { claimFile, readClaim } from './claim-folder.ts'
import type { Instance } from './instance.ts'
import { isHearthOf } from './process-identity.ts'

const OTHERS_WRITE = 0o022

/** Of a folder that the person named: it may be another account's. */
export function readTrustedClaim(folder: string): Instance | undefined {
  const claim = readClaim(folder)
  return claim !== undefined && isTrue(folder, claim) ? claim : undefined
}

/** Of a folder where the person only happens to be. */
export function readOwnClaim(folder: string): Instance | undefined {
  return isOurs(folder) && isOurs(claimFile(folder)) ? readTrustedClaim(folder) : undefined
}

/** Windows says neither whose a file is nor whose a process. */
function isTrue(folder: string, { pid, kind }: Instance): boolean {
  if (process.platform === 'win32') return true
  const [place, file] = [folder, claimFile(folder)].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  if (!place?.isDirectory() || !file?.isFile()) return false
  const isClosed = ((place.mode | file.mode) & OTHERS_WRITE) === 0
  return isClosed && (place.uid === file.uid || place.uid === 0) && isHearthOf(pid, file.uid, kind)
}
