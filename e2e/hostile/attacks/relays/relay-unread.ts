// A device asks for one piece after another and reads none of them.

import type { Socket } from 'node:net'
import { MAX_PIECE_BYTES } from '@hearth/protocol'
import { connectTo } from '../../attacker/connect-to.ts'
import { sendRequest } from '../../attacker/send-request.ts'
import { digestOf, filePath, oneFile, openHolder } from '../../attacker/shared-files.ts'
import type { Attack } from '../../attack.ts'

const PIECES = 40

export const relayUnread: Attack = {
  name: 'relay-unread',
  from: 'outside',
  async run({ origin, credentials: [holder = '', receiver = ''] }, tally) {
    const body = Buffer.alloc(MAX_PIECE_BYTES)
    const post = async (transfer: string) =>
      sendRequest(origin, { path: `/device/v1/relay/pieces/${transfer}`, key: holder, body })
    const link = await openHolder({
      origin,
      credential: holder,
      models: [oneFile('unread', 2, MAX_PIECE_BYTES)],
      onPiece: ({ transfer }) => void post(transfer),
    })
    const sockets: Socket[] = []
    for (let piece = 0; piece < PIECES; piece++) tally.count(await askUnread(origin, receiver, sockets))
    for (const socket of sockets) socket.destroy()
    link.close()
  },
}

/** Reads the status, and nothing after it. */
async function askUnread(origin: string, key: string, sockets: Socket[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const buffer = Buffer.alloc(64)
  const callback = () => {
    resolve(buffer.toString('latin1', 9, 12))
    return false
  }
  const socket = connectTo(origin, { buffer, callback })
  sockets.push(socket)
  socket.on('close', () => resolve('dropped'))
  socket.write(`GET ${filePath(digestOf(2))} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`)
  return promise
}
