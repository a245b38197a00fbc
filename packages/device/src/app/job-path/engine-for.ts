// Creates the embedded engine for one model, with the owner's settings, on a back end that works.

import type { ModelEngine } from '../../engines/engine.ts'
import { createLlamaEngine } from '../../engines/llama/llama-engine.ts'
import type { LlamaOptions } from '../../engines/llama/llama-options.ts'
import type { Backend } from '../../gpu/backend.ts'
import { currentDigest } from '../../models/registry/current-digest.ts'
import { readGgufHeader } from '../../models/gguf/gguf-header.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import type { Settings } from '../../settings/settings.ts'

export interface TemplatedEntry extends ModelEntry {
  /** Replaces the chat template in the file. */
  chatTemplate?: string
}

export interface EngineWorld {
  /** Models that may be loaded beside it. */
  others?: readonly ModelEntry[]
  /** Where the engine keeps what it measures. */
  sizesFile?: string
}

/** Settings of a model override those for all models. Throws CommandError if the file can't be loaded. */
export function engineFor(
  entry: TemplatedEntry,
  settings: Settings,
  backend: Backend,
  { others = [], sizesFile }: EngineWorld = {},
): ModelEngine {
  readGgufHeader(entry.path)
  const { threads } = settings
  const { gpu, environment } = backend
  const slots = entry.slots ?? settings.slots
  const contextLength = entry.contextLength ?? settings.context
  const digest = currentDigest(entry)
  const gpuLayers = backend.gpuLayers ?? entry.gpuLayers ?? settings.gpuLayers
  const options: LlamaOptions = {
    name: entry.name,
    path: entry.path,
    gpu,
    environment,
    others: others.map(({ bytes }) => bytes),
    repeatable: settings.repeatable,
    ...(settings.memory === undefined ? {} : { memoryLimit: settings.memory }),
    ...(entry.chatTemplate === undefined ? {} : { chatTemplate: entry.chatTemplate }),
    ...(digest === undefined ? {} : { digest }),
    ...(sizesFile === undefined ? {} : { sizesFile }),
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(slots === undefined ? {} : { slots }),
    ...(threads === undefined ? {} : { threads }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
  }
  return createLlamaEngine(options)
}
