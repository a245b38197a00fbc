// Reads a model's files again and compares their checksums with those from the day they were added.

import { existsSync, statSync } from 'node:fs'
import { sha256OfFile } from '../download/partial-file.ts'
import { piecesOf } from './pieces.ts'
import type { ModelEntry } from './registry.ts'

export type Verification =
  | { isSound: true }
  /** `why` says which file is wrong, and how. */
  | { isSound: false; why: string }

export async function verifyModel(entry: ModelEntry, signal: AbortSignal): Promise<Verification> {
  const { path, sha256, pieces = [] } = entry
  const expected = pieces.length > 0 ? pieces.map((piece) => piece.sha256) : [sha256]
  for (const [index, file] of piecesOf(path).entries()) {
    if (!existsSync(file) || !statSync(file).isFile()) return { isSound: false, why: `${file} is missing` }
    const digest = expected[index]
    if (digest === undefined) return { isSound: false, why: `no checksum was recorded for ${file}` }
    if ((await sha256OfFile(file, signal)) !== digest) return { isSound: false, why: `${file} has changed` }
  }
  return { isSound: true }
}
