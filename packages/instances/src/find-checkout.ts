// The checkout of Hearth that a person is in, from any of its folders, as git finds its own.

import { dirname, join } from 'node:path'
import { readJson } from '@hearth/command-line/files/write-atomic'
import { isFields } from '@hearth/sealing/fields'

/** Undefined outside of every checkout. */
export function findCheckout(here: string): string | undefined {
  if (isCheckout(here)) return here
  const above = dirname(here)
  return above === here ? undefined : findCheckout(above)
}

function isCheckout(folder: string): boolean {
  try {
    const manifest = readJson(join(folder, 'package.json'))
    return isFields(manifest) && manifest['name'] === 'hearth' && Array.isArray(manifest['workspaces'])
  } catch {
    // It is closed to us, or no JSON.
    return false
  }
}
