// Starts the library and loads a model file, through the library's public interface.

import type { ModelSizing } from '@hearth/protocol'
import { getLlama, type Llama } from 'node-llama-cpp'
import { EngineError } from '../../engine.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { fitModel } from './fit-model.ts'
import { measureMachine } from './measure-machine.ts'
import { toNative, type Native } from './native.ts'

export interface LoadedModel {
  native: Native
  sizing: ModelSizing
}

/** Throws EngineError; one that says the sum if the model doesn't fit into memory. */
export async function loadModel(options: LlamaOptions, signal: AbortSignal): Promise<LoadedModel> {
  const llama = await openLibrary(options)
  try {
    const { model, context, sizing } = await fitModel(llama, options, await measureMachine(llama, options), signal)
    return { native: toNative(llama, model, context), sizing }
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError('failed', `Can't load model "${options.name}": ${messageOf(error)}`, { cause: error })
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
