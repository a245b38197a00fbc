// Records everything that gateways say to each other over a NATS server, as a subscriber to every subject.

import { once } from 'node:events'
import { connect } from 'node:net'
import { findWords } from './find-words.ts'

export interface NatsRecord extends Disposable {
  search(words: readonly string[]): string[]
}

export async function recordNats(port: number): Promise<NatsRecord> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (chunk.includes('PING\r\n')) socket.write('PONG\r\n')
  })
  socket.write('CONNECT {"verbose":false,"pedantic":false}\r\nSUB > 1\r\nPING\r\n')
  // The server has taken the subscription when it answers.
  while (!Buffer.concat(chunks).includes('PONG\r\n')) await once(socket, 'data')
  return {
    search: (words) => findWords(Buffer.concat(chunks), words),
    [Symbol.dispose]: () => socket.destroy(),
  }
}
