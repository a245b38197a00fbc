// Runs in a thread of its own, which has only done what a device does when it starts: compiles all schemas once, then once more.

import { parentPort, workerData } from 'node:worker_threads'
import { prepareFormats, schemaToGrammar, SchemaError, type Schema } from '@hearth/json-schema-grammar'

export interface CompileTime {
  wallMs: number
  /** Counted in ticks of a few milliseconds. */
  cpuMs: number
}

function compile(schema: Schema): CompileTime {
  const [begin, used] = [performance.now(), process.threadCpuUsage()]
  try {
    schemaToGrammar(schema)
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
  }
  const { user, system } = process.threadCpuUsage(used)
  return { wallMs: performance.now() - begin, cpuMs: (user + system) / 1000 }
}

for (const _ of prepareFormats());
const schemas = workerData as readonly Schema[]
parentPort?.postMessage({ first: schemas.map(compile), again: schemas.map(compile) }, [])
