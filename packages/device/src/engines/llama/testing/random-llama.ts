// Models of the plainest architecture with random weights, which write nonsense on purpose.

import { RandomTensors } from './random-tensors.ts'
import { readTinyTokenizer } from './tiny-tokenizer.ts'
import { countField, floatField, textField, writeGguf, type GgufTensor } from './write-gguf.ts'

export interface RandomLlama {
  seed?: number
  /** The token that is likeliest everywhere. */
  first?: string
  /** A weight that makes every logit infinite or not a number. */
  broken?: number
  /** In place of the tiny model's chat template. */
  template?: string
}

const TEMPLATE = 'tokenizer.chat_template'
const [WIDTH, HEADS, LAYERS, INNER] = [32, 2, 2, 64]

export function writeRandomLlama(path: string, { seed = 1, first, broken, template }: RandomLlama): void {
  const { fields, tokens } = readTinyTokenizer()
  const make = new RandomTensors(seed)
  const layers = Array.from({ length: LAYERS }, (_, layer) => `blk.${layer}.`).flatMap((layer) => [
    make.norm(`${layer}attn_norm`, WIDTH),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => make.matrix(layer + name, WIDTH, WIDTH)),
    make.norm(`${layer}ffn_norm`, WIDTH),
    make.matrix(`${layer}ffn_gate`, WIDTH, INNER),
    make.matrix(`${layer}ffn_up`, WIDTH, INNER),
    make.matrix(`${layer}ffn_down`, INNER, WIDTH),
  ])
  const input = make.matrix('token_embd', WIDTH, tokens.length)
  const output = make.matrix('output', WIDTH, tokens.length)
  const last = make.norm('output_norm', WIDTH)
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
      ...fields.map((field) =>
        field.name === TEMPLATE && template !== undefined ? textField(TEMPLATE, template) : field,
      ),
    ],
    [input, last, output, ...layers],
  )
}

// All tokens share a large first number, which the layers leave mostly alone, and one token is looking for it.
function prefer(token: number, input: GgufTensor, output: GgufTensor): void {
  for (let at = 0; at < input.values.length; at += WIDTH) input.values[at] = 20
  output.values[token * WIDTH] = 100
}
