// Starts the library and loads a model file, through the library's public interface.

import type { ModelSizing } from '@hearth/protocol'
import { getLlama, type Llama } from 'node-llama-cpp'
import { readModelShape } from '../../../models/gguf/model-shape.ts'
import { EngineError, type Memory } from '../../engine.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { isCramped } from '../plan/cramped.ts'
import { withLimit, type MachineMemory } from '../plan/machine-memory.ts'
import { weightBytes } from '../plan/memory-need.ts'
import { roomForOthers } from '../plan/room-for-later.ts'
import type { ExactSizes } from './exact-sizes.ts'
import { fitModel, wishesOf } from './fit-model.ts'
import { measureMemory } from './measure-memory.ts'
import { keptSizes } from './sizes/kept-sizes.ts'
import { measureSizes } from './sizes/measure-sizes.ts'
import { toNative, type Native } from './native.ts'

interface LoadedModel {
  native: Native
  sizing: ModelSizing
  memory: Memory
}

/** The other models in memory, at this moment. */
export interface RoomFacts {
  held: Memory
  /** The part of it that could still be freed. */
  evictable: Memory
}

const ALONE: RoomFacts = { held: { ram: 0, gpu: 0 }, evictable: { ram: 0, gpu: 0 } }

/** Undefined if other models should make room first. Throws EngineError; one that says the sum if the model doesn't fit into memory. */
export async function loadModel(
  options: LlamaOptions,
  signal: AbortSignal,
  room: RoomFacts = ALONE,
  library = openLibrary(options),
): Promise<LoadedModel | undefined> {
  const llama = await library
  try {
    const shape = readModelShape(options.path)
    const machine = withinLimit(await measureMemory(llama), options, room)
    if (isCramped(shape, machine, room.evictable, wishesOf(options))) return undefined
    const keptForLater = roomForOthers(weightBytes(shape), options.others ?? [], machine)
    const memory = { ...machine, keptForLater }
    const fitted = await fitModel(llama, options, memory, signal)
    const native = toNative(llama, fitted.model, fitted.context, fitted.checkpointRoom)
    if (native.gpu === false) native.exactSizes = await findSizes(native, llama, options, fitted.arrangement.cache)
    return { native, sizing: fitted.sizing, memory: fitted.memory }
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError('failed', `Can't load model "${options.name}": ${messageOf(error)}`, { cause: error })
  }
}

function findSizes(native: Native, llama: Llama, options: LlamaOptions, cache: string): Promise<ExactSizes> {
  const about = {
    ...(options.digest !== undefined && { digest: options.digest }),
    processor: llama.systemInfo,
    threads: native.threads,
    release: llama.llamaCppRelease.release,
    cache,
  }
  return keptSizes(options.sizesFile, about, () => measureSizes(native))
}

function withinLimit(machine: MachineMemory, { memoryLimit }: LlamaOptions, { held }: RoomFacts): MachineMemory {
  return memoryLimit === undefined ? machine : withLimit(machine, memoryLimit, held)
}

export async function openLibrary({ gpu = 'auto', threads }: LlamaOptions): Promise<Llama> {
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
    const message = `Can't start llama.cpp with gpu "${String(gpu)}": ${messageOf(error)}`
    throw new EngineError('failed', message, { cause: error, fault: { how: message, isCertain: true } })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
