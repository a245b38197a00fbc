// Engines of a test, started as the app starts real ones.

import type { ModelEngine } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import { startOrStop, type StartEngine } from '../serving/start-engine.ts'

export function starting(create: (entry: ModelEntry, others: readonly ModelEntry[]) => ModelEngine): StartEngine {
  return async (entry, others, signal, room, report) => startOrStop(create(entry, others), signal, room, report)
}
