// Well-known models of every size, for the table of plans. The numbers are those in their files.

import type { ModelShape } from '../../../models/gguf/model-shape.ts'

export interface ReferenceModel {
  name: string
  shape: ModelShape
}

interface Facts {
  layers: number
  width: number
  innerWidth: number
  keyValueHeads: number
  headSize: number
  vocabulary: number
  trainedLength: number
  fileMegabytes: number
  inputMegabytes: number
  /** Absent if it shares the embeddings. */
  outputMegabytes?: number
  window?: number
  /** Every nth layer remembers everything. */
  wholeEvery?: number
}

const MEGABYTE = 1e6

function toShape(facts: Facts): ModelShape {
  const { layers, inputMegabytes, outputMegabytes = 0, window = 0, wholeEvery = 1 } = facts
  const perLayer = ((facts.fileMegabytes - inputMegabytes - outputMegabytes) / layers) * MEGABYTE
  return {
    trainedLength: facts.trainedLength,
    layers: Array.from({ length: layers }, (_, index) => ({
      weightBytes: perLayer,
      cacheNumbers: 2 * facts.keyValueHeads * facts.headSize,
      isWindowed: index % wholeEvery < wholeEvery - 1,
      stateBytes: 0,
    })),
    inputBytes: inputMegabytes * MEGABYTE,
    outputBytes: outputMegabytes * MEGABYTE,
    sharesEmbeddings: facts.outputMegabytes === undefined,
    vocabulary: facts.vocabulary,
    width: facts.width,
    innerWidth: facts.innerWidth,
    allowsQuantizedCache: true,
    window,
  }
}

const SMOLLM2: Facts = {
  layers: 30,
  width: 576,
  innerWidth: 1536,
  keyValueHeads: 3,
  headSize: 64,
  vocabulary: 49_152,
  trainedLength: 8192,
  fileMegabytes: 98,
  inputMegabytes: 30,
}

const LLAMA_1B: Facts = {
  layers: 16,
  width: 2048,
  innerWidth: 8192,
  keyValueHeads: 8,
  headSize: 64,
  vocabulary: 128_256,
  trainedLength: 131_072,
  fileMegabytes: 808,
  inputMegabytes: 215,
}

const GEMMA_4B: Facts = {
  layers: 34,
  width: 2560,
  innerWidth: 10_240,
  keyValueHeads: 4,
  headSize: 256,
  vocabulary: 262_144,
  trainedLength: 131_072,
  fileMegabytes: 2490,
  inputMegabytes: 550,
  window: 1024,
  wholeEvery: 6,
}

const LLAMA_8B: Facts = {
  layers: 32,
  width: 4096,
  innerWidth: 14_336,
  keyValueHeads: 8,
  headSize: 128,
  vocabulary: 128_256,
  trainedLength: 131_072,
  fileMegabytes: 4920,
  inputMegabytes: 296,
  outputMegabytes: 431,
}

const QWEN_32B: Facts = {
  layers: 64,
  width: 5120,
  innerWidth: 25_600,
  keyValueHeads: 8,
  headSize: 128,
  vocabulary: 151_936,
  trainedLength: 40_960,
  fileMegabytes: 19_760,
  inputMegabytes: 438,
  outputMegabytes: 638,
}

const LLAMA_70B: Facts = {
  layers: 80,
  width: 8192,
  innerWidth: 28_672,
  keyValueHeads: 8,
  headSize: 128,
  vocabulary: 128_256,
  trainedLength: 131_072,
  fileMegabytes: 42_520,
  inputMegabytes: 591,
  outputMegabytes: 862,
}

const GPT_OSS_120B: Facts = {
  layers: 36,
  width: 2880,
  innerWidth: 11_520,
  keyValueHeads: 8,
  headSize: 64,
  vocabulary: 201_088,
  trainedLength: 131_072,
  fileMegabytes: 63_390,
  inputMegabytes: 615,
  outputMegabytes: 615,
  window: 128,
  wholeEvery: 2,
}

export const REFERENCE_MODELS = [
  { name: 'SmolLM2 135M Q4_1', shape: toShape(SMOLLM2) },
  { name: 'Llama 3.2 1B Q4_K_M', shape: toShape(LLAMA_1B) },
  { name: 'Gemma 3 4B Q4_K_M', shape: toShape(GEMMA_4B) },
  { name: 'Llama 3.1 8B Q4_K_M', shape: toShape(LLAMA_8B) },
  { name: 'Qwen3 32B Q4_K_M', shape: toShape(QWEN_32B) },
  { name: 'Llama 3.3 70B Q4_K_M', shape: toShape(LLAMA_70B) },
  { name: 'gpt-oss 120B MXFP4', shape: toShape(GPT_OSS_120B) },
] as const satisfies readonly ReferenceModel[]
