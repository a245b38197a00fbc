// Starts a model's engine on the rung that the ladder has found, and tells the ladder if it dies there, so that the next engine may get
// another rung.

import { unlessAborted } from '../../clock.ts'
import { type ModelEngine, EngineError, type Room } from '../../engines/engine.ts'
import type { Backend } from '../../gpu/backend.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import { startOrStop, type ReportLoading } from '../../serving/start-engine.ts'

export async function startOnLadder(
  ladder: Pick<Ladder, 'use' | 'crashed'>,
  create: (backend: Backend) => ModelEngine,
  signal: AbortSignal,
  room: Room,
  report?: ReportLoading,
): Promise<ModelEngine> {
  // The search for a rung continues for others that wait for it.
  const backend = await unlessAborted(ladder.use(), signal)
  const engine = create(backend)
  // The first to listen: the ladder knows of the crash before anybody starts the next engine.
  void engine.ended.then(({ fault }) => fault && ladder.crashed(backend.rung, fault))
  try {
    return await startOrStop(engine, signal, room, report)
  } catch (error) {
    if (error instanceof EngineError && error.fault !== undefined && !signal.aborted)
      ladder.crashed(backend.rung, error.fault)
    throw error
  }
}
