// Makes small GGUF files for tests, valid or broken.

import { text, uint32, uint64 } from './gguf-bytes.ts'

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

export function makeGguf({
  version = 3,
  fields = SOUND,
  elements = 64,
  fieldCount,
  tensorCount = 1,
}: GgufParts = {}): Buffer {
  const entries = Object.entries(fields)
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(version),
    uint64(tensorCount),
    uint64(fieldCount ?? entries.length),
    ...entries.flatMap(([name, value]) => [text(name), field(value)]),
    text('weights'),
    uint32(1),
    uint64(elements),
    uint32(0),
    uint64(0),
  ])
  const padding = Buffer.alloc(Math.ceil(head.length / 32) * 32 - head.length)
  return Buffer.concat([head, padding, Buffer.alloc(elements * 4)])
}

function field(value: string | number | string[]): Buffer {
  if (typeof value === 'number') return Buffer.concat([uint32(4), uint32(value)])
  if (typeof value === 'string') return Buffer.concat([uint32(8), text(value)])
  return Buffer.concat([uint32(9), uint32(8), uint64(value.length), ...value.map(text)])
}
