// Models of the plainest architecture with random weights, which write nonsense on purpose.

import { randomValues } from './random-values.ts'
import { readTinyTokenizer } from './tiny-tokenizer.ts'
import { countField, floatField, textField, writeGguf, type GgufTensor } from './write-gguf.ts'

export interface RandomLlama {
  seed?: number
  /** The token that is likeliest everywhere. */
  first?: string
  /** A weight that makes every logit infinite or not a number. */
  broken?: number
}

const [WIDTH, HEADS, LAYERS, INNER] = [32, 2, 2, 64]

export function writeRandomLlama(path: string, { seed = 1, first, broken }: RandomLlama): void {
  const { fields, tokens } = readTinyTokenizer()
  const random = randomValues(seed)
  const matrix = (name: string, from: number, to: number): GgufTensor => ({
    name: `${name}.weight`,
    shape: [from, to],
    values: random(from * to, 1 / Math.sqrt(from)),
  })
  const norm = (name: string): GgufTensor => ({ name: `${name}.weight`, shape: [WIDTH], values: ones(WIDTH) })
  const layers = Array.from({ length: LAYERS }, (_, layer) => `blk.${layer}.`).flatMap((layer) => [
    norm(`${layer}attn_norm`),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => matrix(layer + name, WIDTH, WIDTH)),
    norm(`${layer}ffn_norm`),
    matrix(`${layer}ffn_gate`, WIDTH, INNER),
    matrix(`${layer}ffn_up`, WIDTH, INNER),
    matrix(`${layer}ffn_down`, INNER, WIDTH),
  ])
  const input = matrix('token_embd', WIDTH, tokens.length)
  const output = matrix('output', WIDTH, tokens.length)
  const last = norm('output_norm')
  if (first !== undefined) prefer(tokens.indexOf(first), input, output)
  if (broken !== undefined) last.values[0] = broken
  writeGguf(
    path,
    [
      textField('general.architecture', 'llama'),
      countField('llama.context_length', 2048),
      countField('llama.embedding_length', WIDTH),
      countField('llama.block_count', LAYERS),
      countField('llama.feed_forward_length', INNER),
      countField('llama.attention.head_count', HEADS),
      floatField('llama.attention.layer_norm_rms_epsilon', 1e-5),
      ...fields,
    ],
    [input, last, output, ...layers],
  )
}

// All tokens share a large first number, which the layers leave mostly alone, and one token is looking for it.
function prefer(token: number, input: GgufTensor, output: GgufTensor): void {
  for (let at = 0; at < input.values.length; at += WIDTH) input.values[at] = 20
  output.values[token * WIDTH] = 100
}

function ones(count: number): Float32Array {
  return new Float32Array(count).fill(1)
}
