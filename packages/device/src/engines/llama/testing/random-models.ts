// Models with random weights that can't forget their last tokens: some layers keep a running state or only a window of tokens.

import { RandomTensors } from './random-tensors.ts'
import { readTinyTokenizer } from './tiny-tokenizer.ts'
import { countField, floatField, textField, writeGguf, type GgufField, type GgufTensor } from './write-gguf.ts'

/** `mamba2` has nothing but a running state. */
export const HYBRIDS = ['lfm2', 'granitehybrid', 'qwen35', 'nemotron_h', 'mamba2'] as const
/** `gemma3` has a sliding window in every other layer. */
export type Architecture = (typeof HYBRIDS)[number] | 'gemma3'

const WINDOW = 64

const [WIDTH, HEADS, HEAD, INNER] = [32, 2, 16, 64]
/** Sizes of a state: its numbers per channel, heads, groups, and the width of its convolution. */
const [STATE, STATE_HEADS, GROUPS, CONVOLUTION] = [16, 4, 2, 4]
const STATE_WIDTH = STATE * STATE_HEADS

interface Parts {
  counts: Record<string, number | readonly number[]>
  layers: (make: RandomTensors, layer: string, index: number) => GgufTensor[]
  lastNorm?: string
}

export function writeRandomModel(path: string, architecture: Architecture): void {
  const { counts, layers, lastNorm = 'output_norm' } = PARTS[architecture]
  const make = new RandomTensors(1)
  const { fields, tokens } = readTinyTokenizer()
  const own = { ...COMMON, ...counts }
  writeGguf(
    path,
    [
      textField('general.architecture', architecture),
      ...Object.entries(own).map(([name, value]) => countField(`${architecture}.${name}`, value)),
      ...EPSILONS.map((name): GgufField => floatField(`${architecture}.attention.${name}`, 1e-5)),
      ...fields,
    ],
    [
      make.matrix('token_embd', WIDTH, tokens.length),
      make.norm(lastNorm, WIDTH),
      make.matrix('output', WIDTH, tokens.length),
      ...Array.from({ length: COMMON.block_count }, (_, index) => layers(make, `blk.${index}.`, index)).flat(),
    ],
  )
}

const EPSILONS = ['layer_norm_rms_epsilon', 'layer_norm_epsilon']
const COMMON = {
  context_length: 4096,
  embedding_length: WIDTH,
  block_count: 4,
  feed_forward_length: INNER,
  'attention.head_count': HEADS,
  'attention.key_length': HEAD,
  'attention.value_length': HEAD,
}
const STATE_COUNTS = {
  'ssm.conv_kernel': CONVOLUTION,
  'ssm.inner_size': STATE_WIDTH,
  'ssm.state_size': STATE,
  'ssm.time_step_rank': STATE_HEADS,
  'ssm.group_count': GROUPS,
}

const PARTS: Record<Architecture, Parts> = {
  lfm2: {
    counts: { 'attention.head_count_kv': [0, HEADS, 0, 0], 'shortconv.l_cache': 3 },
    lastNorm: 'token_embd_norm',
    layers: (make, layer, index) => [
      make.norm(`${layer}attn_norm`, WIDTH),
      ...(index === 1 ? [...attention(make, layer), ...headNorms(make, layer)] : shortConvolution(make, layer)),
      ...feedForward(make, layer),
    ],
  },
  granitehybrid: {
    counts: { 'attention.head_count_kv': [0, HEADS, 0, 0], ...STATE_COUNTS },
    layers: (make, layer, index) => [
      make.norm(`${layer}attn_norm`, WIDTH),
      ...(index === 1 ? attention(make, layer) : mamba(make, layer)),
      ...feedForward(make, layer),
    ],
  },
  nemotron_h: {
    counts: {
      'attention.head_count_kv': [0, 0, HEADS, 0],
      feed_forward_length: [0, INNER, 0, 0],
      ...STATE_COUNTS,
    },
    layers: (make, layer, index) => [
      make.norm(`${layer}attn_norm`, WIDTH),
      ...[mamba, upAndDown, attention, mamba][index]!(make, layer),
    ],
  },
  qwen35: {
    counts: {
      'attention.head_count_kv': HEADS,
      full_attention_interval: 2,
      'rope.dimension_sections': [2, 2, 2, 2],
      'rope.dimension_count': HEAD,
      ...STATE_COUNTS,
    },
    layers: (make, layer, index) => [
      make.norm(`${layer}attn_norm`, WIDTH),
      make.norm(`${layer}post_attention_norm`, WIDTH),
      ...(index % 2 === 1 ? [...attention(make, layer, 2), ...headNorms(make, layer)] : deltaNet(make, layer)),
      ...upAndDown(make, layer),
      make.matrix(`${layer}ffn_gate`, WIDTH, INNER),
    ],
  },
  mamba2: {
    counts: STATE_COUNTS,
    layers: (make, layer) => [make.norm(`${layer}attn_norm`, WIDTH), ...mamba(make, layer)],
  },
  gemma3: {
    counts: {
      'attention.head_count_kv': HEADS,
      'attention.sliding_window': WINDOW,
      'attention.sliding_window_pattern': 2,
    },
    layers: (make, layer) => [
      make.norm(`${layer}attn_norm`, WIDTH),
      make.norm(`${layer}post_attention_norm`, WIDTH),
      make.norm(`${layer}post_ffw_norm`, WIDTH),
      ...attention(make, layer),
      ...headNorms(make, layer),
      ...feedForward(make, layer),
    ],
  },
}

/** `share` is 2 where the queries come with gates. */
function attention(make: RandomTensors, layer: string, share = 1): GgufTensor[] {
  return [
    make.matrix(`${layer}attn_q`, WIDTH, HEADS * HEAD * share),
    make.matrix(`${layer}attn_k`, WIDTH, HEADS * HEAD),
    make.matrix(`${layer}attn_v`, WIDTH, HEADS * HEAD),
    make.matrix(`${layer}attn_output`, HEADS * HEAD, WIDTH),
  ]
}

function headNorms(make: RandomTensors, layer: string): GgufTensor[] {
  return [make.norm(`${layer}attn_q_norm`, HEAD), make.norm(`${layer}attn_k_norm`, HEAD)]
}

function feedForward(make: RandomTensors, layer: string): GgufTensor[] {
  return [
    make.norm(`${layer}ffn_norm`, WIDTH),
    make.matrix(`${layer}ffn_gate`, WIDTH, INNER),
    ...upAndDown(make, layer),
  ]
}

function upAndDown(make: RandomTensors, layer: string): GgufTensor[] {
  return [make.matrix(`${layer}ffn_up`, WIDTH, INNER), make.matrix(`${layer}ffn_down`, INNER, WIDTH)]
}

function shortConvolution(make: RandomTensors, layer: string): GgufTensor[] {
  return [
    make.matrix(`${layer}shortconv.conv`, 3, WIDTH),
    make.matrix(`${layer}shortconv.in_proj`, WIDTH, 3 * WIDTH),
    make.matrix(`${layer}shortconv.out_proj`, WIDTH, WIDTH),
  ]
}

function mamba(make: RandomTensors, layer: string): GgufTensor[] {
  const mixed = STATE_WIDTH + 2 * GROUPS * STATE
  return [
    make.matrix(`${layer}ssm_in`, WIDTH, STATE_WIDTH + mixed + STATE_HEADS),
    make.matrix(`${layer}ssm_conv1d`, CONVOLUTION, mixed),
    make.vector(`${layer}ssm_conv1d.bias`, [mixed], 0.1),
    make.vector(`${layer}ssm_dt.bias`, [STATE_HEADS], 0.1),
    make.decay(`${layer}ssm_a`, [1, STATE_HEADS]),
    make.vector(`${layer}ssm_d`, [1, STATE_HEADS], 1),
    make.vector(`${layer}ssm_norm.weight`, [STATE_WIDTH / GROUPS, GROUPS], 1),
    make.matrix(`${layer}ssm_out`, STATE_WIDTH, WIDTH),
  ]
}

function deltaNet(make: RandomTensors, layer: string): GgufTensor[] {
  const mixed = 2 * GROUPS * STATE + STATE_WIDTH
  return [
    make.matrix(`${layer}attn_qkv`, WIDTH, mixed),
    make.matrix(`${layer}attn_gate`, WIDTH, STATE_WIDTH),
    make.matrix(`${layer}ssm_conv1d`, CONVOLUTION, mixed),
    make.vector(`${layer}ssm_dt.bias`, [STATE_HEADS], 0.1),
    make.decay(`${layer}ssm_a`, [STATE_HEADS]),
    make.matrix(`${layer}ssm_beta`, WIDTH, STATE_HEADS),
    make.matrix(`${layer}ssm_alpha`, WIDTH, STATE_HEADS),
    make.norm(`${layer}ssm_norm`, STATE),
    make.matrix(`${layer}ssm_out`, STATE_WIDTH, WIDTH),
  ]
}
