// All models of this machine as one engine: each runs in an engine of its own, so that one that fails, crashes or changes leaves the others
// alone.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { EngineError, type Engine, type EngineChange, type EngineProgress } from '../engines/engine.ts'
import type { ModelEntry } from '../models/registry.ts'
import { ServedModel, type ModelState } from './served-model.ts'

export interface Serving extends Engine {
  /** Brings what is served in line with this list. */
  sync(entries: readonly ModelEntry[]): void
  /** Resolves when the engine of the model, and its jobs, are gone; another one is being started then. Never rejects. */
  restart(model: string): Promise<void>
  states(): ReadonlyMap<string, ModelState>
}

export interface ServingOptions {
  kind: string
  createEngine: (entry: ModelEntry) => Engine
  clock: Clock
  onState: (name: string, state: ModelState) => void
}

export function createServing({ kind, createEngine, clock, onState }: ServingOptions): Serving {
  const served = new Map<string, ServedModel>()
  /** Ends that are under way: memory is given back before the next model takes it. */
  let ending: Promise<unknown> = Promise.resolve()
  const listeners = new Set<(change: EngineChange) => void>()
  let isStopped = false
  let wanted: readonly ModelEntry[] = []

  function begin(entry: ModelEntry): void {
    const model = new ServedModel({
      entry,
      createEngine,
      clock,
      onState(state) {
        onState(entry.name, state)
        for (const listener of listeners) listener({ type: 'models-changed' })
      },
    })
    served.set(entry.name, model)
  }

  function end(model: ServedModel): void {
    served.delete(model.entry.name)
    ending = Promise.all([ending, model.stop()])
  }

  async function beginWanted(): Promise<void> {
    await ending
    for (const entry of wanted) if (!served.has(entry.name) && !isStopped) begin(entry)
  }

  return {
    kind,
    start: () => Promise.resolve(),
    models: () =>
      [...served.values()].flatMap(({ state }): DeviceModel[] => (state.name === 'serving' ? [state.model] : [])),
    run: (job, signal, report) => runOn(served.get(job.model), job, signal, report),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sync(entries) {
      wanted = entries
      for (const model of served.values()) if (!entries.some((entry) => isSame(entry, model.entry))) end(model)
      void beginWanted()
    },
    restart: (name) => served.get(name)?.restart() ?? Promise.resolve(),
    states: () => new Map([...served].map(([name, { state }]) => [name, state])),
    async stop() {
      isStopped = true
      for (const model of served.values()) end(model)
      await ending
    },
  }
}

function runOn(
  model: ServedModel | undefined,
  job: ChatJob,
  signal: AbortSignal,
  report: (progress: EngineProgress) => void,
): AsyncIterable<ChatEvent> {
  const engine = model?.engine
  if (engine === undefined) throw new EngineError('failed', 'The model is being loaded', { retryable: true })
  return engine.run(job, signal, report)
}

function isSame(a: ModelEntry, b: ModelEntry): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
