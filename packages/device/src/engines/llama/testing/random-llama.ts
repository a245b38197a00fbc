// Models of the plainest architecture with random weights, which write nonsense on purpose.

import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { RandomTensors } from './random-tensors.ts'
import { readTinyTokenizer } from './tiny-tokenizer.ts'
import type { Stored } from './stored-numbers.ts'
import { countField, floatField, textField, writeGguf, type GgufTensor } from './write-gguf.ts'

export interface RandomLlama {
  seed?: number
  /** The token that is likeliest everywhere. */
  first?: string
  /** A weight that makes every logit infinite or not a number. */
  broken?: number
  /** In place of the tiny model's chat template. */
  template?: string
  /** How its matrices are stored: 32-bit floats unless set. Most types need rows of 256 numbers. */
  stored?: Stored
  width?: number
}

const TEMPLATE = 'tokenizer.chat_template'
const [HEADS, LAYERS] = [2, 2]

/** In a folder of this test. */
export function placeRandomLlama(model: RandomLlama): string {
  const path = join(scratchFolder(), 'random.gguf')
  writeRandomLlama(path, model)
  return path
}

export function writeRandomLlama(path: string, { seed = 1, first, broken, template, ...form }: RandomLlama): void {
  const { stored = 'f32', width = 32 } = form
  const { fields, tokens } = readTinyTokenizer()
  const make = new RandomTensors(seed)
  const layers = Array.from({ length: LAYERS }, (_, layer) => `blk.${layer}.`).flatMap((layer) => [
    make.norm(`${layer}attn_norm`, width),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => make.matrix(layer + name, width, width)),
    make.norm(`${layer}ffn_norm`, width),
    make.matrix(`${layer}ffn_gate`, width, 2 * width),
    make.matrix(`${layer}ffn_up`, width, 2 * width),
    make.matrix(`${layer}ffn_down`, 2 * width, width),
  ])
  const input = make.matrix('token_embd', width, tokens.length)
  const output = make.matrix('output', width, tokens.length)
  const last = make.norm('output_norm', width)
  if (first !== undefined) prefer(tokens.indexOf(first), input, output, width)
  if (broken !== undefined) last.values[0] = broken
  writeGguf(
    path,
    [
      textField('general.architecture', 'llama'),
      countField('llama.context_length', 2048),
      countField('llama.embedding_length', width),
      countField('llama.block_count', LAYERS),
      countField('llama.feed_forward_length', 2 * width),
      countField('llama.attention.head_count', HEADS),
      floatField('llama.attention.layer_norm_rms_epsilon', 1e-5),
      ...fields.map((field) =>
        field.name === TEMPLATE && template !== undefined ? textField(TEMPLATE, template) : field,
      ),
    ],
    [input, last, output, ...layers].map((tensor) => (tensor.shape.length === 1 ? tensor : { ...tensor, stored })),
  )
}

// All tokens share a large first number, which the layers leave mostly alone, and one token is looking for it.
function prefer(token: number, input: GgufTensor, output: GgufTensor, width: number): void {
  for (let at = 0; at < input.values.length; at += width) input.values[at] = 20
  output.values[token * width] = 100
}
