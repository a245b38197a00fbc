// How much longer a lone client waits for its first token if `hearth-seal proxy` on its machine seals the request: reading, sealing, one
// more connection, opening it on the device and opening the first event.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestBody } from '../gateway/tokens.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import { lowOf } from '../measuring/compare.ts'
import { percentile } from '../percentile.ts'
import { startSealedHearth, startSealProxy } from '../systems/sealed-hearth.ts'
import type { System } from '../systems/system.ts'

const MOST_MS = 3
const REQUESTS_PER_ROUND = 50
/** The device repeats the prompt. */
const FIRST_TOKEN = 'Describe'
const END = '0\r\n\r\n'

export const sealedFirstToken: Measure = {
  name: 'sealed-first-token',
  async run(options) {
    const gateway = await startSealedHearth({ device: 'echo-device.ts' })
    const proxy = await startSealProxy(gateway)
    const [plain, sealed] = await firstTokens(gateway.hearth, proxy, options)
    await proxy.stop()
    await gateway.hearth.stop()
    return [
      {
        what: '1 client, time to the first token, p50',
        figures: { plain: `${plain.toFixed(2)} ms`, 'through hearth-seal': `${sealed.toFixed(2)} ms` },
        bars: [{ unit: 'ms more', value: sealed - plain, most: MOST_MS }],
      },
    ]
  },
}

/** In milliseconds. */
async function firstTokens(plain: System, sealed: System, options: BenchOptions): Promise<[number, number]> {
  const clients = [await open(plain), await open(sealed)] as const
  const rounds: [number[], number[]] = [[], []]
  for (const client of clients) await warmUp(client, options)
  for (let round = 0; round < options.rounds; round++)
    for (const [index, client] of clients.entries()) rounds[index]!.push(await oneRound(client))
  for (const { socket } of clients) socket.destroy()
  return [lowOf(rounds[0]), lowOf(rounds[1])]
}

interface LoneClient {
  socket: Socket
  request: string
}

async function open({ port, path, headers }: System): Promise<LoneClient> {
  const body = requestBody(true)
  const all = { host: `127.0.0.1:${port}`, 'content-type': 'application/json', 'content-length': `${body.length}` }
  const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('utf8')
  await once(socket, 'connect')
  return { socket, request: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}` }
}

async function warmUp(client: LoneClient, { warmUpSeconds }: BenchOptions): Promise<void> {
  const until = performance.now() + warmUpSeconds * 1_000
  while (performance.now() < until) await firstToken(client)
}

async function oneRound(client: LoneClient): Promise<number> {
  const found: number[] = []
  for (let request = 0; request < REQUESTS_PER_ROUND; request++) found.push(await firstToken(client))
  return percentile(found, 0.5)
}

/** Resolves when the reply has ended. */
function firstToken({ socket, request }: LoneClient): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sentAt = performance.now()
  let text = ''
  let waitedMs = Number.NaN
  const take = (more: string) => {
    text += more
    if (Number.isNaN(waitedMs) && text.includes(FIRST_TOKEN)) waitedMs = performance.now() - sentAt
    if (!text.endsWith(END) && !text.endsWith('}')) return
    socket.off('data', take).off('close', fail)
    if (Number.isNaN(waitedMs)) fail()
    else resolve(waitedMs)
  }
  const fail = () => reject(new Error(`Cannot measure: there is no token in ${text.slice(0, 500)}`))
  socket.on('data', take).once('close', fail)
  socket.write(request)
  return promise
}
