// Runs in a thread of its own, where no code is optimized yet and nothing is in a cache: compiles all schemas once, then once more.

import { parentPort, workerData } from 'node:worker_threads'
import { schemaToGrammar, SchemaError, type Schema } from '@hearth/json-schema-grammar'

function compileMs(schema: Schema): number {
  const begin = performance.now()
  try {
    schemaToGrammar(schema)
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
  }
  return performance.now() - begin
}

const schemas = workerData as readonly Schema[]
parentPort?.postMessage({ first: schemas.map(compileMs), again: schemas.map(compileMs) }, [])
