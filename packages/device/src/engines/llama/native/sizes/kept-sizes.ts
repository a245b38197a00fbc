// Keeps what was measured about a file on this processor, so that it isn't measured each time the model is loaded.

import { createHash } from 'node:crypto'
import { isFields } from '@hearth/command-line/files/fields'
import { readJson, writeJson } from '@hearth/command-line/files/write-atomic'
import type { ExactSizes } from '../exact-sizes.ts'
import type { MeasuredSizes } from './measure-sizes.ts'

/** All that the sizes depend on. */
export interface SizesFor {
  digest: string
  /** The features of the processor that the library uses. */
  processor: string
  threads: number
  release: string
  cache: string
}

const MOST_KEPT = 64

/** What there was no time for is measured the next time. Without a file to keep them in, or a digest, they are always measured. */
export async function keptSizes(
  path: string | undefined,
  about: Partial<SizesFor>,
  measure: () => Promise<MeasuredSizes>,
): Promise<ExactSizes> {
  if (path === undefined || about.digest === undefined) return measure()
  const key = createHash('sha256').update(JSON.stringify(about)).digest('base64url')
  const before = readKept(path)
  const known = before.get(key)
  if (known?.isWhole === true) return known
  const measured = await measure()
  const sizes = {
    short: Math.max(measured.short, known?.short ?? 1),
    long: Math.max(measured.long, known?.long ?? 1),
    isWhole: measured.isWhole,
  }
  write(path, [...[...before].filter(([other]) => other !== key), [key, sizes]])
  return sizes
}

/** A full disk must not keep a model from being served. */
function write(path: string, kept: readonly [string, MeasuredSizes][]): void {
  try {
    writeJson(path, Object.fromEntries(kept.slice(-MOST_KEPT)), { mode: 0o600, isDurable: false })
  } catch {
    return
  }
}

/** The file is only a memory: if it is missing or damaged, everything is measured again. */
function readKept(path: string): Map<string, MeasuredSizes> {
  try {
    const value = readJson(path)
    return new Map(Object.entries(isFields(value) ? value : {}).flatMap(readEntry))
  } catch {
    return new Map()
  }
}

function readEntry([key, value]: [string, unknown]): [string, MeasuredSizes][] {
  if (!isFields(value)) return []
  const { short, long, isWhole } = value
  const isKnown = Number.isInteger(short) && Number.isInteger(long) && typeof isWhole === 'boolean'
  return isKnown ? [[key, { short: short as number, long: long as number, isWhole }]] : []
}
