// The fields of the tiny model that describe its tokenizer and its template, so that other models can be written with them.

import { readFileSync } from 'node:fs'
import { TINY_MODEL_PATH } from './tiny-model.ts'
import type { GgufField } from './write-gguf.ts'

export interface Tokenizer {
  fields: readonly GgufField[]
  tokens: readonly string[]
}

const TOKENS = 'tokenizer.ggml.tokens'
/** By the number of a type: 32-bit numbers and a truth value. The others are texts and lists. */
const BYTES: Readonly<Record<number, number>> = { 4: 4, 5: 4, 6: 4, 7: 1 }
const [TEXT, LIST] = [8, 9]

export function readTinyTokenizer(): Tokenizer {
  const file = readFileSync(TINY_MODEL_PATH)
  const count = Number(file.readBigUInt64LE(16))
  const fields: GgufField[] = []
  for (let at = 24; fields.length < count;) {
    const nameEnd = textEnd(file, at)
    const end = valueEnd(file, nameEnd + 4, file.readUInt32LE(nameEnd))
    fields.push({ name: file.toString('utf8', at + 8, nameEnd), bytes: file.subarray(nameEnd, end) })
    at = end
  }
  const own = fields.filter(({ name }) => name.startsWith('tokenizer.'))
  return { fields: own, tokens: readTexts(own.find(({ name }) => name === TOKENS)!.bytes) }
}

function textEnd(file: Buffer, at: number): number {
  return at + 8 + Number(file.readBigUInt64LE(at))
}

function valueEnd(file: Buffer, at: number, type: number): number {
  if (type === TEXT) return textEnd(file, at)
  if (type !== LIST) return at + BYTES[type]!
  let end = at + 12
  for (let left = Number(file.readBigUInt64LE(at + 4)); left > 0; left--)
    end = valueEnd(file, end, file.readUInt32LE(at))
  return end
}

function readTexts(list: Buffer): string[] {
  const texts: string[] = []
  for (let at = 16; at < list.length; at = textEnd(list, at))
    texts.push(list.toString('utf8', at + 8, textEnd(list, at)))
  return texts
}
