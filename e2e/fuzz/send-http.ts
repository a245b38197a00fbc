// Sends an HTTP input and returns the statuses that came back.

import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo } from '../hostile/attacker/connect-to.ts'
import { fillIn, type HttpInput, type Placeholder } from './input.ts'

/** A connection that stays open without a word is left: a client may do that. */
const IDLE_MS = 400

export async function sendHttp(
  origin: string,
  { steps }: HttpInput,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): Promise<number[]> {
  const socket = connectTo(origin)
  let received = ''
  socket.on('data', (data) => (received = (received + data.toString('latin1')).slice(0, 1_000_000)))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  for (const step of steps) await take(step, socket, values)
  await Promise.race([closed, idle(socket)])
  socket.destroy()
  return [...received.matchAll(/(?:^|\r\n|\n)HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

async function take(
  step: HttpInput['steps'][number],
  socket: Socket,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): Promise<void> {
  switch (step.do) {
    case 'send':
      return void socket.write(fillIn(step.bytes, values), 'latin1')
    case 'pause':
      return sleep(step.ms)
    case 'stop-reading':
      return void socket.pause()
    case 'half-close':
      return void socket.end()
    case 'reset':
      return void socket.resetAndDestroy()
    default:
      return step satisfies never
  }
}

/** Resolves after a while without a byte in either direction. */
async function idle(socket: Socket): Promise<void> {
  let seen = -1
  while (seen !== socket.bytesRead + socket.bytesWritten - socket.writableLength) {
    seen = socket.bytesRead + socket.bytesWritten - socket.writableLength
    await sleep(IDLE_MS)
  }
}
