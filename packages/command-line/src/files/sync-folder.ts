import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A file that was renamed into the folder is still there after a power failure. */
export function syncFolder(path: string): void {
  // Windows syncs the entries of folders on its own, and can't open folders.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
