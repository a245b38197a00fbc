// Runs in its own thread and reads one large request at a time.

import { parentPort } from 'node:worker_threads'
import { parseJobRequest, ProtocolError } from '@hearth/protocol'
import type { ForReader, FromReader } from './request-thread.ts'

const arriving = new Map<number, string[]>()

// Node warns that type stripping is experimental. We know, and it doesn't help the owner of the device.
process.removeAllListeners('warning')
parentPort?.on('message', (message: ForReader) => {
  const { id, type } = message
  const parts = arriving.get(id) ?? []
  if (type === 'part') {
    parts.push(message.text)
    arriving.set(id, parts)
    return
  }
  arriving.delete(id)
  if (type === 'read') parentPort?.postMessage(read(id, parts), [])
})

// Any other error ends this thread: the request is rejected, and the next one starts another thread.
function read(id: number, parts: readonly string[]): FromReader {
  try {
    return { id, request: parseJobRequest(parts.join('')) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { id, fault: error.message }
  }
}
