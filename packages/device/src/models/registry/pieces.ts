// A large model may be split into several files; the path of the first one stands for all of them.

import { existsSync, statSync } from 'node:fs'
import { CommandError } from '@hearth/command-line/errors'
import { allParts } from '../hub/file-groups.ts'

export interface Piece {
  bytes: number
  sha256: string
}

/** Every file of the model, in order. */
export function piecesOf(path: string): string[] {
  return allParts(path)
}

export function firstPiece(path: string): string {
  const [first = path] = allParts(path)
  return first
}

/** Throws CommandError if a part is missing. */
export function bytesOf(path: string): number {
  const pieces = piecesOf(path)
  const missing = pieces.find((piece) => !existsSync(piece))
  if (missing !== undefined) throw new CommandError(`Can't use ${path}: its part ${missing} is missing`)
  return pieces.reduce((sum, piece) => sum + statSync(piece).size, 0)
}
