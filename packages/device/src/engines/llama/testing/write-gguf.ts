// Writes small models with made-up weights, as GGUF files.

import { writeFileSync } from 'node:fs'
import { text, uint32, uint64 } from '../../../testing/gguf-bytes.ts'
import { STORED, storeNumbers, type Stored } from './stored-numbers.ts'

/** A field of the header: its value as the file has it, with the type in front. */
export interface GgufField {
  name: string
  bytes: Buffer
}

export interface GgufTensor {
  name: string
  /** The dimension that is contiguous in memory comes first. */
  shape: readonly number[]
  values: Float32Array
  /** 32-bit floats unless set. */
  stored?: Stored
}

/** A tensor as the head of a file describes it. */
export interface DescribedTensor {
  name: string
  shape: readonly number[]
  /** How its numbers are stored; 0 is for 32-bit floats. */
  type: number
  byteLength: number
}

const ALIGNMENT = 32
const [UINT32, FLOAT32, TEXT, LIST] = [4, 6, 8, 9]

export function writeGguf(path: string, fields: readonly GgufField[], tensors: readonly GgufTensor[]): void {
  const data = tensors.map(({ values, stored = 'f32' }) => storeNumbers(values, stored))
  const described = tensors.map(({ name, shape, stored = 'f32' }, index) => {
    return { name, shape, type: STORED[stored], byteLength: data[index]!.length }
  })
  writeFileSync(path, Buffer.concat([ggufHead(fields, described), ...data.map(padded)]))
}

/** All before the data of the tensors, which follow in order, each of them padded. */
export function ggufHead(fields: readonly GgufField[], tensors: readonly DescribedTensor[]): Buffer {
  const parts = [
    Buffer.from('GGUF'),
    uint32(3),
    uint64(tensors.length),
    uint64(fields.length),
    ...fields.flatMap(({ name, bytes }) => [text(name), bytes]),
    ...describeTensors(tensors),
  ]
  return padded(Buffer.concat(parts))
}

export function countField(name: string, value: number | readonly number[]): GgufField {
  if (typeof value === 'number') return { name, bytes: Buffer.concat([uint32(UINT32), uint32(value)]) }
  const list = [uint32(LIST), uint32(UINT32), uint64(value.length), ...value.map(uint32)]
  return { name, bytes: Buffer.concat(list) }
}

export function floatField(name: string, value: number): GgufField {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return { name, bytes: Buffer.concat([uint32(FLOAT32), bytes]) }
}

export function textField(name: string, value: string): GgufField {
  return { name, bytes: Buffer.concat([uint32(TEXT), text(value)]) }
}

export function textsField(name: string, values: readonly string[]): GgufField {
  return { name, bytes: Buffer.concat([uint32(LIST), uint32(TEXT), uint64(values.length), ...values.map(text)]) }
}

function describeTensors(tensors: readonly DescribedTensor[]): Buffer[] {
  let offset = 0
  return tensors.map(({ name, shape, type, byteLength }) => {
    const bytes = [text(name), uint32(shape.length), ...shape.map(uint64), uint32(type), uint64(offset)]
    offset += Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT
    return Buffer.concat(bytes)
  })
}

export function padded(bytes: Buffer): Buffer {
  const length = Math.ceil(bytes.length / ALIGNMENT) * ALIGNMENT
  return length === bytes.length ? bytes : Buffer.concat([bytes], length)
}
