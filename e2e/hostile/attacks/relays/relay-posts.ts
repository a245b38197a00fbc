// A device sends the one piece that it was asked for many times at once, and never finishes.

import { connect, type Socket } from 'node:net'
import { MAX_PIECE_BYTES, type PieceWanted } from '@hearth/protocol'
import { startRequest } from '../../attacker/send-request.ts'
import { digestOf, filePath, oneFile, openHolder } from '../../attacker/shared-files.ts'
import { Tally } from '../../attacker/tally.ts'
import type { Attack } from '../../attack.ts'

const POSTS = 150
const SENT_BYTES = MAX_PIECE_BYTES - 1_000

export const relayPosts: Attack = {
  name: 'relay-posts',
  from: 'outside',
  async run({ origin, credentials: [holder = '', receiver = ''] }) {
    const tally = new Tally()
    const wanted = Promise.withResolvers<PieceWanted>()
    const models = [oneFile('posted', 1, MAX_PIECE_BYTES)]
    const link = await openHolder({ origin, credential: holder, models, onPiece: wanted.resolve })
    const asked = startRequest(origin, { method: 'GET', path: filePath(digestOf(1)), key: receiver }, (response) => {
      response.on('error', () => {}).resume()
    })
    asked.on('error', () => {})
    const { transfer } = await wanted.promise
    const posts = Array.from({ length: POSTS }, () => postMost(origin, holder, transfer))
    for (const { fate, socket } of await Promise.all(posts)) {
      tally.count(fate)
      socket.destroy()
    }
    asked.destroy()
    link.close()
    return tally.report()
  },
}

/** Resolves once nearly all of the piece has left, or the gateway has answered. */
async function postMost(origin: string, key: string, transfer: string): Promise<{ fate: string; socket: Socket }> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('error', () => {})
  socket.on('close', () => resolve('dropped'))
  socket.once('data', (data) => resolve(String(data).slice(9, 12)))
  socket.write(
    `POST /device/v1/relay/pieces/${transfer} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${MAX_PIECE_BYTES}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(SENT_BYTES), () => resolve('sent most'))
  return { fate: await promise, socket }
}
