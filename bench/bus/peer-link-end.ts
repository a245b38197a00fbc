// One end of a link between two gateways, as a process of its own. The sender fills each turn of its loop with as many chunks as a home
// would get from its devices in one; the receiver counts them. A message from the parent asks how many there were.

import { connectNats, openPeerLinks } from '@hearth/gateway/testing'

const { NATS_URL = '', SELF = '', PEER = '', CHUNKS_PER_TURN = '0', EVERY_MS = '0' } = process.env
const MAX_BACKLOG_BYTES = 512 * 1024

const fail = (error: unknown) => {
  throw error
}
const bus = await connectNats(NATS_URL, { onFault: fail })
const links = openPeerLinks<unknown>({ bus, self: SELF, version: '1', onFault: fail })
let chunks = 0

links.listen({
  up: () => {
    process.send?.('up')
    if (Number(CHUNKS_PER_TURN) > 0) sendTurn(0)
  },
  down: (peer, why) => fail(new Error(`The link to ${peer} broke: ${why}`)),
  message: () => (chunks += 1),
})
links.expect([PEER])
process.on('message', () => process.send?.(chunks))

function sendTurn(turn: number): void {
  if (links.backlog(PEER) < MAX_BACKLOG_BYTES) {
    for (let index = 0; index < Number(CHUNKS_PER_TURN); index++) links.send(PEER, chunk(index, turn))
    chunks += Number(CHUNKS_PER_TURN)
  }
  if (Number(EVERY_MS) > 0) setTimeout(sendTurn, Number(EVERY_MS), turn + 1)
  else setImmediate(sendTurn, turn + 1)
}

/** A token as a device reports it. */
function chunk(index: number, sequence: number): object {
  const job = `chatcmpl-0123456789abcdefghijkl${index}`
  return { type: 'job-delta', job, attempt: 1, sequence, choice: 0, text: ' token', tokens: 1 }
}
