// Starts a model's engine on the rung that the ladder has found, and tells the ladder if it dies there, so that the next engine may get
// another rung.

import { EngineError, type ModelEngine, type Room } from '../../engines/engine.ts'
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

/** The search for a rung continues for others that wait for it. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const give = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}
