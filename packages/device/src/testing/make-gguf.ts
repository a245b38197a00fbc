// Makes small GGUF files for tests, valid or broken.

import { countField, ggufHead, textField, textsField, type GgufField } from '../engines/llama/testing/write-gguf.ts'

export interface GgufParts {
  version?: number
  fields?: Record<string, string | number | string[]>
  /** One F32 tensor of this many elements. */
  elements?: number
  fieldCount?: number
  tensorCount?: number
}

const SOUND = {
  'general.architecture': 'llama',
  'general.name': 'A test',
  'llama.context_length': 2048,
  'tokenizer.ggml.tokens': ['a', 'b', 'c'],
  'tokenizer.chat_template': '{{ messages }}',
}

export function makeGguf({ version, fields = SOUND, elements = 64, fieldCount, tensorCount }: GgufParts = {}): Buffer {
  const tensor = { name: 'weights', shape: [elements], type: 0, byteLength: elements * 4 }
  const head = ggufHead(Object.entries(fields).map(toField), [tensor])
  if (version !== undefined) head.writeUInt32LE(version, 4)
  if (tensorCount !== undefined) head.writeBigUInt64LE(BigInt(tensorCount), 8)
  if (fieldCount !== undefined) head.writeBigUInt64LE(BigInt(fieldCount), 16)
  return Buffer.concat([head, Buffer.alloc(tensor.byteLength)])
}

function toField([name, value]: [string, string | number | string[]]): GgufField {
  if (typeof value === 'number') return countField(name, value)
  return typeof value === 'string' ? textField(name, value) : textsField(name, value)
}
