// The fields of the tiny model that describe its tokenizer and its template, so that other models can be written with them.

import { readFileSync } from 'node:fs'
import { TINY_MODEL_PATH } from './tiny-model.ts'
import type { GgufField } from './write-gguf.ts'
import { textEnd, valueEnd } from './gguf-values.ts'

const TOKENS = 'tokenizer.ggml.tokens'

export function readTinyTokenizer() {
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

function readTexts(list: Buffer): string[] {
  const texts: string[] = []
  for (let at = 16; at < list.length; at = textEnd(list, at))
    texts.push(list.toString('utf8', at + 8, textEnd(list, at)))
  return texts
}
