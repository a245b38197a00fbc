// Runs in its own thread and reads one large request at a time.

import { parentPort } from 'node:worker_threads'
import { parseJobRequest, ProtocolError } from '@hearth/protocol'
import type { ReadRequest } from './request-thread.ts'

// Node warns that type stripping is experimental. We know, and it doesn't help the owner of the device.
process.removeAllListeners('warning')
parentPort?.on('message', (parts: readonly string[]) => parentPort?.postMessage(read(parts), []))

// Any other error ends this thread, and the request is rejected.
function read(parts: readonly string[]): ReadRequest {
  try {
    return { request: parseJobRequest(parts.join('')) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { fault: error.message }
  }
}
