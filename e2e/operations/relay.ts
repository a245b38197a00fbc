// Pieces of a model on their way from one device to another.

import { randomBytes } from 'node:crypto'
import { MAX_PIECE_BYTES, type PieceWanted } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { digestOf, filePath, oneFile, openHolder } from '../hostile/attacker/shared-files.ts'
import { system } from './shared-system.ts'

const CONTENT = randomBytes(MAX_PIECE_BYTES + 1_000)
const FILE = digestOf(1)

const holder = await system.enrol('home')
let answer: (wanted: PieceWanted) => void
const link = await openHolder({
  origin: system.origin,
  credential: holder,
  models: [oneFile('copied', 1, CONTENT.length)],
  onPiece: (wanted) => answer(wanted),
})
afterAll(() => link.close())

async function ask(key: string, offset: number): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, range: `bytes=${offset}-` }
  return fetch(system.origin + filePath(FILE), { headers })
}

async function post(transfer: string, body: Buffer<ArrayBuffer>): Promise<Response> {
  const headers = { authorization: `Bearer ${holder}` }
  return fetch(`${system.origin}/device/v1/relay/pieces/${transfer}`, { method: 'POST', headers, body })
}

function pieceOf({ offset, bytes }: PieceWanted): Buffer<ArrayBuffer> {
  return CONTENT.subarray(offset, offset + bytes)
}

describe('a piece', () => {
  it('arrives as it was sent, and its sender is told so', async () => {
    const receiver = await system.enrol('home')
    const posted: Promise<Response>[] = []
    answer = (wanted) => posted.push(post(wanted.transfer, pieceOf(wanted)))
    const first = await ask(receiver, 0)
    expect(first.headers.get('content-range')).toBe(`bytes 0-${MAX_PIECE_BYTES - 1}/${CONTENT.length}`)
    const bytes = Buffer.from(await first.arrayBuffer())
    const second = await ask(receiver, bytes.length)
    expect(Buffer.concat([bytes, Buffer.from(await second.arrayBuffer())]).equals(CONTENT)).toBe(true)
    expect((await Promise.all(posted)).map(({ status }) => status)).toEqual([204, 204])
  })

  it('that is not sent, or has another length, can be asked for again', async () => {
    const receiver = await system.enrol('home')
    const posted: Promise<Response>[] = []
    for (const body of [Buffer.alloc(0), Buffer.alloc(10)]) {
      answer = ({ transfer }) => posted.push(post(transfer, body))
      const response = await ask(receiver, 0)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    }
    expect((await posted[0])?.status).toBe(204)
  })

  it('that nobody waits for any longer is rejected', async () => {
    const receiver = await system.enrol('home')
    const wanted = Promise.withResolvers<PieceWanted>()
    answer = (piece) => wanted.resolve(piece)
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${receiver}` }
    const asked = fetch(system.origin + filePath(FILE), { headers, signal: leaving.signal }).catch(() => undefined)
    const piece = await wanted.promise
    leaving.abort()
    await asked
    await expect.poll(async () => (await post(piece.transfer, Buffer.alloc(1))).status).toBe(404)
  })
})

describe('a device that asks too often', () => {
  it('gets a 429, and others do not', async () => {
    const [greedy, other] = [await system.enrol('home'), await system.enrol('home')]
    const answers = await Promise.all(Array.from({ length: 400 }, () => ask(greedy, CONTENT.length)))
    const rejected = answers.find(({ status }) => status === 429)
    expect(rejected?.headers.get('retry-after')).toBe('1')
    expect((await ask(other, CONTENT.length)).status).toBe(404)
  })
})
