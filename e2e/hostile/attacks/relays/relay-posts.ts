// A device sends the one piece that it was asked for many times at once, and never finishes.

import { MAX_PIECE_BYTES, type PieceWanted } from '@hearth/protocol'
import { sendUnfinished } from '../../attacker/connect-to.ts'
import { startRequest } from '../../attacker/send-request.ts'
import { digestOf, filePath, oneFile, openHolder } from '../../attacker/shared-files.ts'
import type { Attack } from '../../attack.ts'

const POSTS = 150
const SENT_BYTES = MAX_PIECE_BYTES - 1_000

export const relayPosts: Attack = {
  name: 'relay-posts',
  from: 'outside',
  async run({ origin, credentials: [holder = '', receiver = ''] }, tally) {
    const wanted = Promise.withResolvers<PieceWanted>()
    const models = [oneFile('posted', 1, MAX_PIECE_BYTES)]
    const link = await openHolder({ origin, credential: holder, models, onPiece: wanted.resolve })
    const asked = startRequest(origin, { method: 'GET', path: filePath(digestOf(1)), key: receiver }, (response) => {
      response.on('error', () => {}).resume()
    })
    asked.on('error', () => {})
    const { transfer } = await wanted.promise
    const path = `/device/v1/relay/pieces/${transfer}`
    const most = { path, key: holder, declares: MAX_PIECE_BYTES, sends: SENT_BYTES }
    const posts = Array.from({ length: POSTS }, () => sendUnfinished(origin, most))
    for (const { fate, socket } of await Promise.all(posts)) {
      tally.count(fate)
      socket.destroy()
    }
    asked.destroy()
    link.close()
  },
}
