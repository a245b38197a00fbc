import { chmodSync, statSync } from 'node:fs'

/** A copied or restored file may have lost its permissions. Windows doesn't have this kind. */
export function closeToOthers(path: string): void {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
}
