// How the engine of one of the machine's own models comes up.

import type { LoadProgress, ModelEngine, Room } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry/registry.ts'

/**
 * Resolves when the model can take jobs. Rejects if it can't be loaded, and then leaves nothing running. The `others` are not loaded, and may
 * have to fit beside it; the most recently used come first.
 */
export type StartEngine = (
  entry: ModelEntry,
  others: readonly ModelEntry[],
  signal: AbortSignal,
  room: Room,
  report: ReportLoading,
) => Promise<ModelEngine>

export type ReportLoading = (progress: LoadProgress) => void

export async function startOrStop(
  engine: ModelEngine,
  signal: AbortSignal,
  room: Room,
  report?: ReportLoading,
): Promise<ModelEngine> {
  try {
    await engine.start(signal, room, report)
    return engine
  } catch (error) {
    // Why it can't start says more than why it can't stop.
    await engine.stop().catch(() => {})
    throw error
  }
}
