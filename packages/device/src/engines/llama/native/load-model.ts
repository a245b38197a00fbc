// Starts the library, loads a model file and reserves memory for its slots, all through the library's public interface.

import { getLlama, type Llama, type LlamaModel } from 'node-llama-cpp'
import { EngineError } from '../../engine.ts'
import { chooseContextLength } from './context-length.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { toNative, type Native } from './native.ts'

const DEFAULT_SLOTS = 4
// Larger batches would only delay cancellation: the CPU is saturated long before.
const BATCH_SIZE = 512
/** A smaller slot is of no use to anyone. */
const LEAST_CONTEXT = 256

/** Prefix reuse needs the whole cache, even on models whose attention only covers a window. */
const CACHE = { swaFullCache: true, flashAttention: 'auto' } as const

export async function loadModel(options: LlamaOptions, signal: AbortSignal): Promise<Native> {
  const llama = await openLibrary(options)
  const model = await openModel(llama, options, signal)
  const slots = options.slots ?? DEFAULT_SLOTS
  const contextSize = await fitContext(llama, model, options, slots)
  try {
    const context = await model.createContext({
      ...CACHE,
      sequences: slots,
      contextSize,
      batchSize: Math.min(BATCH_SIZE, contextSize),
      createSignal: signal,
    })
    return toNative(llama, model, context)
  } catch (error) {
    throw cannotLoad(options.name, error)
  }
}

async function openLibrary({ gpu = 'auto', threads }: LlamaOptions): Promise<Llama> {
  try {
    const llama = await getLlama({
      gpu,
      build: 'never',
      skipDownload: true,
      maxThreads: threads ?? 1,
      // The library may log grammars, and with them parts of a request.
      logger: () => undefined,
    })
    if (threads === undefined) llama.maxThreads = Math.max(1, llama.cpuMathCores - 1)
    return llama
  } catch (error) {
    throw new EngineError('failed', `Can't start llama.cpp with gpu "${String(gpu)}": ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function openModel(llama: Llama, options: LlamaOptions, signal: AbortSignal): Promise<LlamaModel> {
  try {
    return await llama.loadModel({
      modelPath: options.path,
      loadSignal: signal,
      ...(options.gpuLayers === undefined ? {} : { gpuLayers: options.gpuLayers }),
    })
  } catch (error) {
    throw cannotLoad(options.name, error)
  }
}

async function fitContext(llama: Llama, model: LlamaModel, options: LlamaOptions, slots: number): Promise<number> {
  const trained = Math.max(LEAST_CONTEXT, model.trainContextSize)
  if (options.contextLength !== undefined)
    return Math.min(trained, Math.max(LEAST_CONTEXT, Math.floor(options.contextLength)))
  const [ram, vram] = [await llama.getRamState(), llama.gpu === false ? undefined : await llama.getVramState()]
  return chooseContextLength(trained, async (contextSize) => {
    const need = await model.fileInsights.estimateContextResourceRequirementsV2({
      ...CACHE,
      contextSize,
      sequences: slots,
      batchSize: BATCH_SIZE,
      modelGpuLayers: model.gpuLayers,
    })
    return { bytes: need.cpuRam, free: ram.free, gpuBytes: need.gpuVram, gpuFree: vram?.free ?? 0 }
  })
}

function cannotLoad(name: string, error: unknown): EngineError {
  return new EngineError('failed', `Can't load model "${name}": ${messageOf(error)}`, { cause: error })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
