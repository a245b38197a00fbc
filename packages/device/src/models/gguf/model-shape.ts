// The parts of a model that decide how much memory it takes: its weights by layer, and the tokens it remembers.

import { CommandError } from '@hearth/command-line/errors'
import { allParts } from '../hub/file-groups.ts'
import { numberField, readGgufParts, textField, type Field, type GgufParts, type TensorInfo } from './gguf-header.ts'

export interface ModelShape {
  /** The context length it was trained for. */
  trainedLength: number
  layers: readonly LayerShape[]
  /** The token embeddings, which always stay in the machine's own memory. */
  inputBytes: number
  /** The layer that turns the last state into logits. */
  outputBytes: number
  /** The output has no weights of its own: a GPU gets another copy of the embeddings. */
  sharesEmbeddings: boolean
  vocabulary: number
  width: number
  /** The widest state inside a layer. */
  innerWidth: number
  /** A quantized cache stores 32 numbers at a time, so the keys and values of a head must be a multiple of that. */
  allowsQuantizedCache: boolean
  /** How many tokens back the windowed layers look; 0 if there are none. */
  window: number
}

export interface LayerShape {
  weightBytes: number
  /** Numbers to remember per token, keys and values together. */
  cacheNumbers: number
  /** Remembers only the last `window` tokens, if the engine lets it. */
  isWindowed: boolean
  /** Bytes per slot, however many tokens it holds: the state of a recurrent layer. */
  stateBytes: number
}

/** Architectures with windowed layers: every nth layer remembers everything. Newer files list the layers themselves. */
const EVERY_NTH: Readonly<Record<string, number>> = { gemma2: 2, gemma3: 6, 'gpt-oss': 2, cohere2: 4, exaone4: 4 }

const QUANTIZED_BLOCK = 32
/** Many times what the deepest models have. */
const MAX_LAYERS = 4096

/** Throws a CommandError that says what is wrong with the file. */
export function readModelShape(path: string): ModelShape {
  const first = readGgufParts(path)
  const tensors = [...first.tensors, ...otherFiles(path, first).flatMap((other) => readGgufParts(other).tensors)]
  return toShape(first.fields, tensors, path)
}

/** The other files of a split model: name-00001-of-00003.gguf lies beside name-00002-of-00003.gguf. */
function otherFiles(path: string, { fields }: GgufParts): string[] {
  const count = numberField(fields, 'split.count') ?? 1
  return count <= 1 ? [] : allParts(path).slice(1)
}

type Fields = ReadonlyMap<string, Field>

function toShape(fields: Fields, tensors: readonly TensorInfo[], path: string): ModelShape {
  const architecture = textField(fields, 'general.architecture') ?? ''
  const of = (name: string): number => numberField(fields, `${architecture}.${name}`) ?? 0
  const weights = sumByLayer(tensors)
  const [count, width] = [of('block_count') || weights.layers.size, of('embedding_length')]
  if (count > MAX_LAYERS) throw new CommandError(`Can't use ${path}: it claims to have ${count} layers`)
  const layers = Array.from({ length: count }, (_, index) => ({
    weightBytes: weights.layers.get(index) ?? 0,
    ...rememberedBy(index, count, fields, architecture),
  }))
  return {
    trainedLength: of('context_length') || 2048,
    layers,
    inputBytes: weights.input,
    outputBytes: weights.output,
    sharesEmbeddings: !tensors.some(({ name }) => name === 'output.weight'),
    vocabulary: of('vocab_size') || (numberField(fields, 'tokenizer.ggml.tokens') ?? 0),
    width,
    innerWidth: innerWidth(fields, architecture),
    allowsQuantizedCache: headSizes(fields, architecture).every((size) => size % QUANTIZED_BLOCK === 0),
    window: layers.some(({ isWindowed }) => isWindowed) ? of('attention.sliding_window') : 0,
  }
}

function headSizes(fields: Fields, architecture: string): number[] {
  const of = (name: string): number => perLayer(fields, `${architecture}.${name}`, 0) ?? 0
  const usual = of('attention.head_count') === 0 ? 0 : of('embedding_length') / of('attention.head_count')
  const kinds = ['key_length', 'value_length', 'key_length_swa', 'value_length_swa']
  return kinds.map((kind) => of(`attention.${kind}`) || usual)
}

function sumByLayer(tensors: readonly TensorInfo[]): { layers: Map<number, number>; input: number; output: number } {
  const sums = { layers: new Map<number, number>(), input: 0, output: 0 }
  for (const { name, bytes } of tensors) {
    const layer = /^blk\.(\d+)\./.exec(name)?.[1]
    if (layer !== undefined) sums.layers.set(Number(layer), (sums.layers.get(Number(layer)) ?? 0) + bytes)
    else if (name.includes('token_embd')) sums.input += bytes
    else sums.output += bytes
  }
  return sums
}

function rememberedBy(
  layer: number,
  count: number,
  fields: Fields,
  architecture: string,
): Omit<LayerShape, 'weightBytes'> {
  const of = (name: string): number => perLayer(fields, `${architecture}.${name}`, layer) ?? 0
  const heads = of('attention.head_count')
  const isRecurrent = isRecurrentLayer(fields, architecture, layer)
  const sharesCache = layer >= count - of('attention.shared_kv_layers')
  const isWindowed = isWindowedLayer(fields, architecture, layer)
  const usual = heads === 0 ? 0 : of('embedding_length') / heads
  const size = (kind: 'key' | 'value'): number =>
    (isWindowed ? of(`attention.${kind}_length_swa`) : 0) || of(`attention.${kind}_length`) || usual
  const keyValueHeads = perLayer(fields, `${architecture}.attention.head_count_kv`, layer) ?? heads
  return {
    cacheNumbers: isRecurrent || sharesCache ? 0 : keyValueHeads * (size('key') + size('value')),
    isWindowed,
    stateBytes: isRecurrent ? recurrentBytes(of) : 0,
  }
}

function isWindowedLayer(fields: Fields, architecture: string, layer: number): boolean {
  if ((numberField(fields, `${architecture}.attention.sliding_window`) ?? 0) === 0) return false
  const pattern = fields.get(`${architecture}.attention.sliding_window_pattern`)
  if (typeof pattern === 'object') return (pattern[layer] ?? 0) !== 0
  const nth = typeof pattern === 'number' ? pattern : EVERY_NTH[architecture]
  return nth !== undefined && nth > 0 && layer % nth < nth - 1
}

function isRecurrentLayer(fields: Fields, architecture: string, layer: number): boolean {
  const interval = numberField(fields, `${architecture}.full_attention_interval`)
  if (interval !== undefined && interval > 0) return (layer + 1) % interval !== 0
  const isHybrid = ['ssm.state_size', 'shortconv.l_cache', 'wkv.head_size'].some((name) =>
    fields.has(`${architecture}.${name}`),
  )
  return isHybrid && (perLayer(fields, `${architecture}.attention.head_count_kv`, layer) ?? 0) === 0
}

/** As llama.cpp computes it, in 32-bit floats: the last inputs of a convolution, and the state itself. */
function recurrentBytes(of: (name: string) => number): number {
  const [width, head] = [of('embedding_length'), of('wkv.head_size')]
  if (head > 0) return 4 * (of('token_shift_count') * width + width * head)
  if (of('shortconv.l_cache') > 0) return 4 * width * (of('shortconv.l_cache') - 1)
  const inputs = of('ssm.inner_size') + 2 * of('ssm.group_count') * of('ssm.state_size')
  return 4 * (Math.max(0, of('ssm.conv_kernel') - 1) * inputs + of('ssm.state_size') * of('ssm.inner_size'))
}

function innerWidth(fields: Fields, architecture: string): number {
  const of = (name: string): number => perLayer(fields, `${architecture}.${name}`, 0) ?? 0
  const experts = of('expert_used_count') * of('expert_feed_forward_length')
  return Math.max(of('feed_forward_length'), experts, of('attention.head_count') * of('attention.key_length'))
}

function perLayer(fields: Fields, name: string, layer: number): number | undefined {
  const value = fields.get(name)
  if (typeof value === 'object') return value[layer]
  return typeof value === 'number' ? value : undefined
}
