// Creates the embedded engine for one model, with the owner's settings, on a back end that works.

import { present } from '@hearth/command-line/present'
import type { ModelEngine } from '../../engines/engine.ts'
import { createLlamaEngine } from '../../engines/llama/llama-engine.ts'
import type { LlamaOptions } from '../../engines/llama/llama-options.ts'
import type { Wishes } from '../../engines/llama/plan/sizes.ts'
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

/** Throws CommandError if the file can't be loaded. */
export function engineFor(
  entry: TemplatedEntry,
  settings: Settings,
  backend: Backend,
  { others = [], sizesFile }: EngineWorld = {},
): ModelEngine {
  readGgufHeader(entry.path)
  const { slots, context, gpuLayers } = wishesFor(entry, settings)
  const options: LlamaOptions = present({
    name: entry.name,
    path: entry.path,
    gpu: backend.gpu,
    environment: backend.environment,
    others: others.map(({ bytes }) => bytes),
    repeatable: settings.repeatable,
    memoryLimit: settings.memory,
    chatTemplate: entry.chatTemplate,
    digest: currentDigest(entry),
    sizesFile,
    contextLength: context,
    slots,
    threads: settings.threads,
    gpuLayers: backend.gpuLayers ?? gpuLayers,
  })
  return createLlamaEngine(options)
}

/** Settings of a model override those for all models. */
export function wishesFor(entry: ModelEntry, settings: Settings): Wishes {
  return present({
    slots: entry.slots ?? settings.slots,
    context: entry.contextLength ?? settings.context,
    gpuLayers: entry.gpuLayers ?? settings.gpuLayers,
  })
}
