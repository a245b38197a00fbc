// Writes grammars in a thread of its own, one after the other, so that a schema that takes long holds up no running job.

import { prepareFormats } from '@hearth/json-schema-grammar'
import { parentPort } from 'node:worker_threads'
import { GrammarRejected, writeGrammar, type GrammarRequest } from './grammar-text.ts'
import { READY, type GrammarAnswer } from './grammar-thread.ts'

// Any other error ends this thread: the jobs that wait for it fail, and the next one starts another thread.
function answer(request: GrammarRequest): GrammarAnswer {
  try {
    return writeGrammar(request)
  } catch (error) {
    if (!(error instanceof GrammarRejected)) throw error
    const { message, isTooLarge, tool } = error
    return { rejection: { message, isTooLarge, tool } }
  }
}

// Node warns that type stripping is experimental. We know, and it doesn't help the owner of the device.
process.removeAllListeners('warning')
parentPort?.on('message', (request: string) =>
  parentPort?.postMessage(answer(JSON.parse(request) as GrammarRequest), []),
)
parentPort?.postMessage(READY, [])
// This worker starts while a model loads, so there is time. A request that comes early waits for one format at most.
const steps = prepareFormats()
function takeStep(): void {
  if (steps.next().done !== true) setImmediate(takeStep)
}
setImmediate(takeStep)
