// Room on the disk for downloads: asked for before the first byte, and watched while a file grows. Errors name no folder, because people in
// the console see them too.

import { StorageError } from '@hearth/command-line/errors'
import { formatBytes } from '@hearth/command-line/format'

export interface Disk {
  freeBytes: (folder: string) => number
  /** Stays free whatever is downloaded. */
  reserveBytes: number
}

/** The owner's own downloads leave this much. */
export const RESERVE_BYTES = 64 * 1024 * 1024

/** Between two looks at the disk, far less than any reserve. */
const LOOK_BYTES = 16 * 1024 * 1024

/** Throws StorageError if this many bytes more have no room in the folder. */
export function requireRoom(bytes: number, folder: string, disk: Disk): void {
  const free = disk.freeBytes(folder)
  // The watch stops early by as much as it may overlook, so a file that fits must leave that much too.
  if (bytes + disk.reserveBytes + LOOK_BYTES <= free) return
  throw new StorageError(
    `Not enough disk space for the model: ${formatBytes(bytes)} needed, ${formatBytes(free)} free`,
    'free up space, or choose another folder: --data of npm start, HEARTH_DEVICE_HOME of the device app',
  )
}

/** Call it with the size of every chunk before it is written. Throws StorageError before the disk is fuller than the reserve. */
export function createRoomWatch(folder: string, disk: Disk): (chunkBytes: number) => void {
  let unseenBytes = Number.POSITIVE_INFINITY
  return (chunkBytes) => {
    unseenBytes += chunkBytes
    if (unseenBytes < LOOK_BYTES) return
    const free = disk.freeBytes(folder)
    if (free < disk.reserveBytes + LOOK_BYTES)
      throw new StorageError(
        `The download stopped because the disk is almost full: ${formatBytes(free)} free`,
        'free up space and start the download again to continue where it stopped',
      )
    unseenBytes = chunkBytes
  }
}
