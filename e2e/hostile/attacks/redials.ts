// One device connects, greets and leaves, hundreds of times a second.

import { once } from 'node:events'
import { closeCode, dial } from '../attacker/hostile-link.ts'
import type { Attack } from '../attack.ts'

const DIALS = 5_000
const AT_ONCE = 16
const HELLO = JSON.stringify({ type: 'hello', protocols: [1], app: 'hostile', boot: 'b', engine: 'e', models: [] })

export const redials: Attack = {
  name: 'redials',
  from: 'outside',
  async run({ origin, credentials: [credential = ''] }, tally) {
    let left = DIALS
    const keepDialling = async () => {
      while (left-- > 0) tally.count(await dialOnce(origin, credential))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, keepDialling))
  },
}

async function dialOnce(origin: string, credential: string): Promise<string | number> {
  const socket = dial(origin, credential)
  const closed = closeCode(socket)
  socket.on('open', () => socket.send(HELLO))
  const greeted = once(socket, 'message').then(
    () => 'greeted',
    () => closed,
  )
  const result = await Promise.race([greeted, closed])
  socket.terminate()
  return result
}
