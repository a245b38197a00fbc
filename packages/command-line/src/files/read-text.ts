// Reads a file that may not be there, or that this account may not read.

import { readFileSync } from 'node:fs'

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Whoever asks knows what a file without content means.
    return undefined
  }
}
