// How much memory a model takes in a given arrangement. The same sums as llama.cpp makes, from the facts in the model's file; compared with
// the engine library's own estimate by a test.

import type { LayerShape, ModelShape } from '../../../models/gguf/model-shape.ts'
import { GIB, MIB } from './machine-memory.ts'

export interface Arrangement {
  slots: number
  /** Tokens per slot. */
  context: number
  cache: CacheType
  /** Windowed layers remember only their window. It saves memory, but earlier prompts are reused only from a few checkpoints. */
  keepsOnlyWindow: boolean
  /** From the last layer on; the output counts as one more. */
  gpuLayers: number
  /** Tokens per decode. */
  batch: number
}

export type CacheType = 'f16' | 'q8_0'

export interface Need {
  ram: number
  gpu: number
  /** The parts of the two sums. */
  weights: number
  tokens: number
  /** For copies of slots' states; see checkpointRoom. */
  checkpoints: number
  /** Memory that the engine library reserves for tokens, as opposed to the process around it. */
  context: { ram: number; gpu: number }
}

/** Node, the engine library and its small buffers. */
const PROCESS_BYTES = 192 * MIB
const GRAPH_BYTES = 32 * MIB
/** Cells of a cache come in blocks. */
const CELLS = 256
/** Enough to go back to the instructions and to the last turns of a conversation. */
const CHECKPOINTS_PER_SLOT = 4
const MOST_CHECKPOINT_BYTES = GIB
/** q8_0 stores 32 numbers in 34 bytes. */
const BYTES_PER_NUMBER: Readonly<Record<CacheType, number>> = { f16: 2, q8_0: 34 / 32 }

/** All weights of a model, wherever they are. */
export function weightBytes({ layers, inputBytes, outputBytes }: ModelShape): number {
  return sum(layers, weightsOf) + inputBytes + outputBytes
}

/** All layers and the output. */
export function allLayers({ layers }: ModelShape): number {
  return layers.length + 1
}

export function memoryNeed(shape: ModelShape, arrangement: Arrangement): Need {
  const { gpuLayers } = arrangement
  const firstOnGpu = allLayers(shape) - gpuLayers
  const onCpu = shape.layers.slice(0, firstOnGpu)
  const onGpu = shape.layers.slice(firstOnGpu)
  const output = shape.outputBytes + (shape.sharesEmbeddings ? shape.inputBytes : 0)
  const weights = {
    ram: sum(onCpu, weightsOf) + shape.inputBytes + (gpuLayers === 0 ? shape.outputBytes : 0),
    gpu: gpuLayers === 0 ? 0 : sum(onGpu, weightsOf) + output,
  }
  const cache = (layer: LayerShape): number => cacheBytes(layer, shape, arrangement)
  const compute = computeBytes(shape, arrangement)
  const tokens = {
    ram: sum(onCpu, cache) + (onCpu.length > 0 ? compute : GRAPH_BYTES),
    gpu: gpuLayers === 0 ? 0 : sum(onGpu, cache) + compute,
  }
  const checkpoints = checkpointRoom(shape, arrangement)
  return {
    ram: weights.ram + tokens.ram + PROCESS_BYTES + checkpoints,
    gpu: weights.gpu + tokens.gpu,
    weights: weights.ram + weights.gpu,
    tokens: tokens.ram + tokens.gpu + PROCESS_BYTES + checkpoints,
    checkpoints,
    context: tokens,
  }
}

/** The caches of all layers, wherever they are. */
export function cacheNeed(shape: ModelShape, arrangement: Arrangement): number {
  return sum(shape.layers, (layer) => cacheBytes(layer, shape, arrangement))
}

/**
 * The memory for the checkpoints of all slots together, always the machine's own; 0 if slots can go back to any token. A checkpoint
 * holds what a slot can't get back by forgetting tokens: running states, and the windows of layers that keep nothing else.
 */
export function checkpointRoom(shape: ModelShape, arrangement: Arrangement): number {
  const one = sum(shape.layers, (layer) => checkpointBytes(layer, shape, arrangement))
  return Math.min(MOST_CHECKPOINT_BYTES, arrangement.slots * CHECKPOINTS_PER_SLOT * one)
}

function checkpointBytes(layer: LayerShape, { window }: ModelShape, arrangement: Arrangement): number {
  const isCut = arrangement.keepsOnlyWindow && layer.isWindowed
  const cells = isCut ? Math.min(arrangement.context, window) : 0
  return cells * layer.cacheNumbers * BYTES_PER_NUMBER[arrangement.cache] + layer.stateBytes
}

function cacheBytes(layer: LayerShape, { window }: ModelShape, arrangement: Arrangement): number {
  const { slots, context, cache, keepsOnlyWindow, batch } = arrangement
  const whole = padded(context)
  const cells = keepsOnlyWindow && layer.isWindowed ? Math.min(whole, padded(window + batch + 1)) : whole
  return slots * (cells * layer.cacheNumbers * BYTES_PER_NUMBER[cache] + layer.stateBytes)
}

/** The largest moment of a decode: all logits, the inner state of a layer, or the mask of the attention. */
function computeBytes({ vocabulary, width, innerWidth }: ModelShape, { batch, context }: Arrangement): number {
  const widest = Math.max(vocabulary + 2 * width, 2 * innerWidth + 4 * width, 1.5 * context)
  return 4 * batch * widest * 1.05 + GRAPH_BYTES
}

function padded(cells: number): number {
  return Math.ceil(cells / CELLS) * CELLS
}

function weightsOf({ weightBytes }: LayerShape): number {
  return weightBytes
}

function sum(layers: readonly LayerShape[], size: (layer: LayerShape) => number): number {
  return layers.reduce((total, layer) => total + size(layer), 0)
}
