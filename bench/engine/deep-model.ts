// A model that writes exactly what another one writes, but takes several times as long: the same layers, and more that add nothing. With the
// shallow one as its draft, it shows what a draft saves if it is always right.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { textEnd, valueEnd } from '../../packages/device/src/engines/llama/testing/gguf-values.ts'

interface Tensor {
  name: string
  /** Of its description, from the dimensions to the type. */
  about: Buffer
  data: Buffer
}

const ALIGNMENT = 32
/** Without these, a layer passes on what it gets. */
const OUTPUTS = /^blk\.\d+\.(?:attn_output|ffn_down)\./

/** Writes the model with `times` as many layers. */
export function writeDeepModel(from: string, to: string, times: number): void {
  const file = readFileSync(from)
  const [tensorCount, fieldCount] = [Number(file.readBigUInt64LE(8)), Number(file.readBigUInt64LE(16))]
  let at = 24
  let layers = 0
  for (let left = fieldCount; left > 0; left--) {
    const nameEnd = textEnd(file, at)
    if (file.toString('utf8', at + 8, nameEnd).endsWith('.block_count')) {
      layers = file.readUInt32LE(nameEnd + 4)
      file.writeUInt32LE(layers * times, nameEnd + 4)
    }
    at = valueEnd(file, nameEnd + 4, file.readUInt32LE(nameEnd))
  }
  const tensors = readTensors(file, at, tensorCount)
  const more = Array.from({ length: times - 1 }, (_, index) => tensors.flatMap(deeper((index + 1) * layers))).flat()
  write(to, file.subarray(0, at), [...tensors, ...more])
}

function deeper(by: number): (tensor: Tensor) => Tensor[] {
  return ({ name, about, data }) => {
    const [, layer] = /^blk\.(\d+)\./.exec(name) ?? []
    if (layer === undefined) return []
    const moved = name.replace(/^blk\.\d+/, `blk.${Number(layer) + by}`)
    return [{ name: moved, about, data: OUTPUTS.test(name) ? Buffer.alloc(data.length) : data }]
  }
}

function readTensors(file: Buffer, from: number, count: number): Tensor[] {
  const found: { name: string; about: Buffer; offset: number }[] = []
  let at = from
  for (let left = count; left > 0; left--) {
    const nameEnd = textEnd(file, at)
    const end = nameEnd + 4 + 8 * file.readUInt32LE(nameEnd) + 4
    const offset = Number(file.readBigUInt64LE(end))
    found.push({ name: file.toString('utf8', at + 8, nameEnd), about: file.subarray(nameEnd, end), offset })
    at = end + 8
  }
  const data = file.subarray(padded(at))
  const ends = [...found.map(({ offset }) => offset), data.length].toSorted((a, b) => a - b)
  return found.map(({ name, about, offset }) => {
    return { name, about, data: data.subarray(offset, ends[ends.indexOf(offset) + 1]) }
  })
}

function write(path: string, head: Buffer, tensors: readonly Tensor[]): void {
  let offset = 0
  const infos = tensors.map(({ name, about, data }) => {
    const info = Buffer.concat([writeText(name), about, writeNumber(offset)])
    offset += padded(data.length)
    return info
  })
  const before = Buffer.concat([head, ...infos])
  before.writeBigUInt64LE(BigInt(tensors.length), 8)
  const file = openSync(path, 'w')
  for (const part of [before, ...tensors.map(({ data }) => data)]) {
    writeSync(file, part)
    writeSync(file, Buffer.alloc(padded(part.length) - part.length))
  }
  closeSync(file)
}

function writeText(text: string): Buffer {
  return Buffer.concat([writeNumber(Buffer.byteLength(text)), Buffer.from(text)])
}

function writeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT
}
