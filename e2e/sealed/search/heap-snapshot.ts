// Searches a heap snapshot of another Node process: everything that is still in use there. The process runs with HEAP_FLAGS.

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { findWords, longestForm } from './find-words.ts'
import type { WatchedOutput } from '../../harness/processes/watch-output.ts'

/** Without a limit of their length, so that a word at the end of a long prompt is found. */
export const HEAP_FLAGS = ['--inspect=127.0.0.1:0', '--heap-snapshot-string-limit=100000000']

export async function searchHeap({ heard }: WatchedOutput, words: readonly string[]): Promise<string[]> {
  const [, url = ''] = await heard(/Debugger listening on (ws:\S+)/)
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 })
  await once(socket, 'open')
  const found = new Set<string>()
  const overlap = longestForm(words)
  let end = ''
  const done = Promise.withResolvers<void>()
  socket.on('message', (data: Buffer) => {
    const { id, params } = JSON.parse(data.toString()) as { id?: number; params?: { chunk?: string } }
    if (id !== undefined) return done.resolve()
    const text = end + (params?.chunk ?? '')
    for (const word of findWords(Buffer.from(text), words)) found.add(word)
    end = text.slice(-overlap)
  })
  socket.on('close', () => done.reject(new Error('The process ended before its heap was read')))
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.takeHeapSnapshot', params: { reportProgress: false } }))
  await done.promise
  socket.terminate()
  return words.filter((word) => found.has(word))
}
