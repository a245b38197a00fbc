// A model of any size that recites a given text, whatever it reads: the position alone decides the next token. Its layers are as large as
// those of a real model and take as long, but add nothing. So it shows what guesses bring, right and wrong ones, without real weights.

import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { textEnd, valueEnd } from '../../../packages/device/src/engines/llama/testing/gguf-values.ts'
import {
  countField,
  floatField,
  ggufHead,
  padded,
  textField,
  type GgufField,
} from '../../../packages/device/src/engines/llama/testing/write-gguf.ts'

export interface ModelSize {
  layers: number
  width: number
  inner: number
  heads: number
  keyHeads: number
}

export const SIZES = {
  small: { layers: 12, width: 768, inner: 4096, heads: 12, keyHeads: 4 },
  '1b': { layers: 16, width: 2048, inner: 12_288, heads: 32, keyHeads: 8 },
  '8b': { layers: 32, width: 4096, inner: 21_504, heads: 32, keyHeads: 8 },
} satisfies Record<string, ModelSize>

export interface RecitingModel {
  /** A file with the vocabulary. */
  tokenizer: string
  size: ModelSize
  /** The next token at each position. */
  tokens: ReadonlyMap<number, number>
  contextLength: number
}

interface Tensor {
  name: string
  shape: readonly number[]
  type: number
  bytes: () => Buffer
}

const [FLOAT32, Q8_0, Q4_K] = [0, 8, 12]
/** Weights in a block, and the bytes of the block. */
const BLOCKS: Readonly<Record<number, readonly [number, number]>> = {
  [FLOAT32]: [1, 4],
  [Q8_0]: [32, 34],
  [Q4_K]: [256, 144],
}
/** How much likelier the right token is than any other: certain, but for one in a million. */
const LOGIT = 25
const RAW_TEMPLATE = '{{ messages[0].content }}'

export function writeRecitingModel(path: string, model: RecitingModel): void {
  const { fields, vocabularySize } = readTokenizer(model.tokenizer)
  const signs = randomSigns(vocabularySize * model.size.width)
  const tensors = [...ends(model, signs, vocabularySize), ...layers(model.size)]
  write(path, [...fields, ...sizeFields(model)], tensors)
}

function readTokenizer(path: string): { fields: GgufField[]; vocabularySize: number } {
  const file = readFileSync(path)
  const fields: GgufField[] = []
  let [at, vocabularySize] = [24, 0]
  for (let left = Number(file.readBigUInt64LE(16)); left > 0; left--) {
    const nameEnd = textEnd(file, at)
    const name = file.toString('utf8', at + 8, nameEnd)
    at = valueEnd(file, nameEnd + 4, file.readUInt32LE(nameEnd))
    if (name === 'tokenizer.ggml.tokens') vocabularySize = Number(file.readBigUInt64LE(nameEnd + 8))
    if (name.startsWith('tokenizer.ggml.')) fields.push({ name, bytes: file.subarray(nameEnd, at) })
  }
  return { fields, vocabularySize }
}

function sizeFields({ size, contextLength }: RecitingModel): GgufField[] {
  return [
    textField('general.architecture', 'starcoder'),
    textField('tokenizer.chat_template', RAW_TEMPLATE),
    countField('starcoder.context_length', contextLength),
    countField('starcoder.embedding_length', size.width),
    countField('starcoder.block_count', size.layers),
    countField('starcoder.feed_forward_length', size.inner),
    countField('starcoder.attention.head_count', size.heads),
    countField('starcoder.attention.head_count_kv', size.keyHeads),
    floatField('starcoder.attention.layer_norm_epsilon', 1e-5),
  ]
}

/** Each token has a direction of its own, and each position points in the direction of the token after it. */
function ends(
  { size: { width }, tokens, contextLength }: RecitingModel,
  signs: Int8Array,
  vocabularySize: number,
): Tensor[] {
  const positions = new Float32Array(contextLength * width)
  for (let position = 0; position < contextLength; position++) {
    const token = tokens.get(position) ?? position % vocabularySize
    positions.set(signs.subarray(token * width, (token + 1) * width), position * width)
  }
  return [
    zeros('token_embd.weight', [width, vocabularySize], Q4_K),
    {
      name: 'position_embd.weight',
      shape: [width, contextLength],
      type: FLOAT32,
      bytes: () => Buffer.from(positions.buffer),
    },
    ...norm('output_norm', width),
    {
      name: 'output.weight',
      shape: [width, vocabularySize],
      type: Q8_0,
      bytes: () => scaledSigns(signs, LOGIT / width),
    },
  ]
}

function layers({ layers: count, width, inner, heads, keyHeads }: ModelSize): Tensor[] {
  const queries = width + (2 * keyHeads * width) / heads
  return Array.from({ length: count }, (_, layer) => `blk.${layer}.`).flatMap((layer) => [
    ...norm(`${layer}attn_norm`, width),
    random(`${layer}attn_qkv.weight`, [width, queries]),
    zeros(`${layer}attn_qkv.bias`, [queries], FLOAT32),
    zeros(`${layer}attn_output.weight`, [width, width], Q4_K),
    zeros(`${layer}attn_output.bias`, [width], FLOAT32),
    ...norm(`${layer}ffn_norm`, width),
    random(`${layer}ffn_up.weight`, [width, inner]),
    zeros(`${layer}ffn_up.bias`, [inner], FLOAT32),
    zeros(`${layer}ffn_down.weight`, [inner, width], Q4_K),
    zeros(`${layer}ffn_down.bias`, [width], FLOAT32),
  ])
}

function norm(name: string, width: number): Tensor[] {
  const ones = () => Buffer.from(new Float32Array(width).fill(1).buffer)
  return [
    { name: `${name}.weight`, shape: [width], type: FLOAT32, bytes: ones },
    zeros(`${name}.bias`, [width], FLOAT32),
  ]
}

function zeros(name: string, shape: readonly number[], type: number): Tensor {
  return { name, shape, type, bytes: () => Buffer.alloc(byteLength(shape, type)) }
}

/** Weights around zero that keep the size of what they multiply: a block's first numbers are its scales, the rest may be anything. */
function random(name: string, shape: readonly [number, number]): Tensor {
  const bytes = (): Buffer => {
    const blocks = randomFillSync(Buffer.allocUnsafe(byteLength(shape, Q4_K)))
    const scale = shape[0] ** -0.5 / 253
    const scales = Buffer.from(new Float16Array([scale, 7.5 * scale]).buffer)
    for (let at = 0; at < blocks.length; at += 144) scales.copy(blocks, at)
    return blocks
  }
  return { name, shape, type: Q4_K, bytes }
}

function randomSigns(length: number): Int8Array {
  const signs = randomFillSync(new Int8Array(length))
  for (let index = 0; index < length; index++) signs[index] = (signs[index]! & 1) * 2 - 1
  return signs
}

function scaledSigns(signs: Int8Array, scale: number): Buffer {
  const blocks = Buffer.allocUnsafe(byteLength([signs.length], Q8_0))
  const head = Buffer.from(new Float16Array([scale]).buffer)
  for (let [at, from] = [0, 0]; at < blocks.length; at += 34, from += 32) {
    head.copy(blocks, at)
    blocks.set(signs.subarray(from, from + 32), at + 2)
  }
  return blocks
}

function byteLength(shape: readonly number[], type: number): number {
  const [weights, bytes] = BLOCKS[type]!
  return (shape.reduce((product, length) => product * length, 1) / weights) * bytes
}

function write(path: string, fields: readonly GgufField[], tensors: readonly Tensor[]): void {
  const file = openSync(path, 'w')
  const described = tensors.map((tensor) => ({ ...tensor, byteLength: byteLength(tensor.shape, tensor.type) }))
  writeSync(file, ggufHead(fields, described))
  for (const { bytes } of tensors) writeSync(file, padded(bytes()))
  closeSync(file)
}
