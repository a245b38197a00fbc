// Creates the embedded engine for one model, with the owner's settings.

import type { ModelEngine } from '../engines/engine.ts'
import { createLlamaEngine } from '../engines/llama/llama-engine.ts'
import { readGgufHeader } from '../models/gguf-header.ts'
import type { ModelEntry } from '../models/registry.ts'
import type { Settings } from '../settings/settings.ts'

/** Settings of a model override those for all models. Throws DeviceError if the file can't be loaded. */
export function engineFor(entry: ModelEntry, settings: Settings): ModelEngine {
  readGgufHeader(entry.path)
  const { threads, gpu } = settings
  const slots = entry.slots ?? settings.slots
  const contextLength = entry.contextLength ?? settings.context
  const gpuLayers = entry.gpuLayers ?? settings.gpuLayers
  return createLlamaEngine({
    name: entry.name,
    path: entry.path,
    gpu: gpu === 'off' ? false : gpu,
    ...(entry.sha256 === undefined ? {} : { digest: entry.sha256 }),
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(slots === undefined ? {} : { slots }),
    ...(threads === undefined ? {} : { threads }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
  })
}
