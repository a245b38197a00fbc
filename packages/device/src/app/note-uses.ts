// Notes when each model gets a job.

import type { ChangingEngine } from '../engines/engine.ts'

export function noteUses(engine: ChangingEngine, note: (model: string) => void): ChangingEngine {
  return {
    kind: engine.kind,
    start: (signal) => engine.start(signal),
    models: () => engine.models(),
    run(job, signal, report) {
      note(job.model)
      return engine.run(job, signal, report)
    },
    onChange: (listener) => engine.onChange(listener),
    stop: () => engine.stop(),
  }
}
