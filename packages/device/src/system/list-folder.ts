import { readdirSync } from 'node:fs'

/** The names in a folder. Empty if there is no such folder, or this account may not read it. */
export function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    // Whoever asks knows what a folder without content means.
    return []
  }
}
