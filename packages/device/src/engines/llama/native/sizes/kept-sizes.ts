// Keeps what was measured about a file on this processor, so that it isn't measured each time the model is loaded.

import { createHash } from 'node:crypto'
import { isFields } from '@hearth/sealing/fields'
import { keepNotes, recallNotes } from '@hearth/command-line/files/notes'
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
  const before = new Map(Object.entries(recallNotes(path)).flatMap(readEntry))
  const known = before.get(key)
  if (known?.isWhole === true) return known
  const measured = await measure()
  const sizes = {
    short: Math.max(measured.short, known?.short ?? 1),
    long: Math.max(measured.long, known?.long ?? 1),
    isWhole: measured.isWhole,
  }
  const kept = [...[...before].filter(([other]) => other !== key), [key, sizes] as const]
  keepNotes(path, Object.fromEntries(kept.slice(-MOST_KEPT)))
  return sizes
}

function readEntry([key, value]: [string, unknown]): [string, MeasuredSizes][] {
  if (!isFields(value)) return []
  const { short, long, isWhole } = value
  const isKnown = Number.isInteger(short) && Number.isInteger(long) && typeof isWhole === 'boolean'
  return isKnown ? [[key, { short: short as number, long: long as number, isWhole }]] : []
}
