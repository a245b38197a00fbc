// A large model may be split into several files; the path of the first one stands for all of them.

import { existsSync, statSync } from 'node:fs'
import { DeviceError } from '../errors.ts'

/** Every file of the model, in order. */
export function piecesOf(path: string): string[] {
  const [, stem, total = ''] = /^(.*)-00001-of-(\d{5})\.gguf$/.exec(path) ?? []
  if (stem === undefined) return [path]
  const number = (index: number): string => String(index + 1).padStart(5, '0')
  return Array.from({ length: Number(total) }, (_, index) => `${stem}-${number(index)}-of-${total}.gguf`)
}

/** Throws DeviceError if a part is missing. */
export function bytesOf(path: string): number {
  const pieces = piecesOf(path)
  const missing = pieces.find((piece) => !existsSync(piece))
  if (missing !== undefined) throw new DeviceError(`Can't use ${path}: its part ${missing} is missing`)
  return pieces.reduce((sum, piece) => sum + statSync(piece).size, 0)
}
