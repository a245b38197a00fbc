import { rm } from 'node:fs/promises'

/** A process that was killed may still write to its folder for a moment, so this tries again for half a minute. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 })
}
