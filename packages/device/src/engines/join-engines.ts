// Several engines as one. A model that several have is served by the first of them.

import type { DeviceModel } from '@hearth/protocol'
import { EngineError, type Engine } from './engine.ts'

export function joinEngines(engines: readonly Engine[]): Engine {
  const owned = (): { engine: Engine; model: DeviceModel }[] => {
    const all = engines.flatMap((engine) => engine.models().map((model) => ({ engine, model })))
    return all.filter(({ model }, index) => all.findIndex((other) => other.model.name === model.name) === index)
  }
  return {
    kind: [...new Set(engines.map(({ kind }) => kind))].join('+'),
    async start(signal) {
      await Promise.all(engines.map((engine) => engine.start(signal)))
    },
    models: () => owned().map(({ model }) => model),
    run(job, signal, report) {
      const owner = owned().find(({ model }) => model.name === job.model)
      if (owner === undefined) throw new EngineError('failed', 'The model is not served any more', { retryable: true })
      return owner.engine.run(job, signal, report)
    },
    onChange(listener) {
      const stops = engines.map((engine) => engine.onChange(listener))
      return () => stops.forEach((stop) => stop())
    },
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()))
    },
  }
}
