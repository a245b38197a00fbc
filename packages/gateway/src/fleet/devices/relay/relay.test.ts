import { PassThrough, type Readable } from 'node:stream'
import { MAX_PIECE_BYTES, type GatewayFrame, type SharedModel } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { ByteBudget } from '@hearth/chat'
import type { DeviceLink } from '../device-link.ts'
import { Relay, TRANSFER_BYTES, type PieceAnswer, type RelayOptions } from './relay.ts'

const DIGEST = 'a'.repeat(64)
const model: SharedModel = {
  name: 'qwen3:8b',
  source: 'https://host/qwen3.gguf',
  quant: 'Q4_K_M',
  files: [{ name: 'x.gguf', bytes: MAX_PIECE_BYTES + 10, sha256: DIGEST }],
}

function device(id: string, organization = 'acme') {
  return { id, organization, name: id }
}

function linkOf(id: string, shared: readonly SharedModel[] = [], organization = 'acme') {
  const frames: GatewayFrame[] = []
  const report = { shared }
  const hears: { now?: (transfer: string) => void } = {}
  const link = {
    identity: device(id, organization),
    state: { name: 'serving' },
    report,
    send: (frame: GatewayFrame) => {
      frames.push(frame)
      if (frame.type === 'piece-wanted') hears.now?.(frame.transfer)
    },
  } as unknown as DeviceLink
  const wanted = () => frames.flatMap((frame) => (frame.type === 'piece-wanted' ? [frame] : []))
  return { link, report, wanted, hears }
}

function open(links: readonly { link: DeviceLink }[], options: Partial<RelayOptions> = {}) {
  const budget = options.budget ?? new ByteBudget(64 * TRANSFER_BYTES)
  const relay = new Relay({ ...options, budget })
  for (const { link } of links) relay.reported(link)
  /** Asks for a piece; `close` is the end of the reply. */
  const ask = (id: string, offset = 0, organization = 'acme') => {
    const closed = new AbortController()
    const piece = relay.piece(device(id, organization), DIGEST, offset, closed.signal)
    return { piece, close: () => closed.abort() }
  }
  return { relay, budget, ask }
}

/** A device asks another one for the end of the file, and that one is asked to send it. */
async function openAsked() {
  const has = linkOf('has', [model])
  const opened = open([has, linkOf('wants'), linkOf('third')])
  const asked = opened.ask('wants', MAX_PIECE_BYTES)
  await expect.poll(has.wanted).toHaveLength(1)
  return { ...opened, ...asked, has, transfer: has.wanted()[0]!.transfer }
}

function bodyOf(bytes: Buffer): Readable {
  const body = new PassThrough()
  body.end(bytes)
  return body
}

async function bytesOf(answer: PieceAnswer): Promise<Buffer> {
  if (answer.kind !== 'piece') throw new Error(`It is ${answer.kind}`)
  return Buffer.concat(await answer.body.toArray())
}

describe('a copy from another device', () => {
  it('is found by its name or its source, and only within the organization', () => {
    const { relay } = open([linkOf('has', [model]), linkOf('wants')])
    const wants = device('wants')
    const { name, source = '' } = model
    expect(relay.find(wants, { name, source: '' })).toBe(model)
    expect(relay.find(wants, { name: '', source })).toBe(model)
    expect(relay.find(wants, { name: '', source: `${source}?signature=another` })).toBe(model)
    expect(relay.find(wants, { name: 'other', source: 'other' })).toBeUndefined()
    expect(relay.find(device('wants', 'stranger'), { name, source })).toBeUndefined()
    expect(relay.find(device('has'), { name, source })).toBeUndefined()
  })

  it('is no longer found when the device reports something else, or is gone', async () => {
    const [has, also] = [linkOf('has', [model]), linkOf('also', [model])]
    const { relay, ask } = open([has, also])
    const { name, source = '' } = model
    has.report.shared = []
    relay.reported(has.link)
    expect(relay.find(device('wants'), { name, source })).toBe(model)
    relay.linkGone(also.link)
    expect(relay.find(device('wants'), { name, source })).toBeUndefined()
    expect(await ask('wants').piece).toEqual({ kind: 'unknown' })
  })

  it('comes in pieces of bounded size, from any offset', async () => {
    const has = linkOf('has', [model])
    const { relay, ask } = open([has, linkOf('wants')])
    const first = ask('wants')
    await expect.poll(has.wanted).toMatchObject([{ sha256: DIGEST, offset: 0, bytes: MAX_PIECE_BYTES }])
    void relay.take(device('has'), has.wanted()[0]!.transfer, bodyOf(Buffer.alloc(MAX_PIECE_BYTES)), MAX_PIECE_BYTES)
    expect(await first.piece).toMatchObject({ bytes: MAX_PIECE_BYTES, totalBytes: MAX_PIECE_BYTES + 10 })
    first.close()
    const last = ask('wants', MAX_PIECE_BYTES)
    await expect.poll(has.wanted).toHaveLength(2)
    expect(has.wanted()[1]).toMatchObject({ offset: MAX_PIECE_BYTES, bytes: 10 })
    void relay.take(device('has'), has.wanted()[1]!.transfer, bodyOf(Buffer.alloc(10, 2)), undefined)
    expect(await bytesOf(await last.piece)).toEqual(Buffer.alloc(10, 2))
    expect(await ask('third', MAX_PIECE_BYTES + 10).piece).toEqual({ kind: 'unknown' })
  })

  it('is not given to another organization, nor taken from a device that was not asked', async () => {
    const { relay, ask, piece, transfer } = await openAsked()
    expect(await ask('wants', 0, 'stranger').piece).toEqual({ kind: 'unknown' })
    expect(relay.take(device('third'), transfer, bodyOf(Buffer.alloc(10, 9)), 10)).toBeUndefined()
    void relay.take(device('has'), transfer, bodyOf(Buffer.alloc(10, 1)), 10)
    expect(await bytesOf(await piece)).toEqual(Buffer.alloc(10, 1))
  })

  it('is sent once: whoever sends the same piece at the same time is not read', async () => {
    const { relay, piece, transfer } = await openAsked()
    const [first, second] = [new PassThrough(), new PassThrough()]
    const over = relay.take(device('has'), transfer, first, 10)
    expect(relay.take(device('has'), transfer, second, 10)).toBeUndefined()
    second.write('second')
    first.end(Buffer.alloc(10, 1))
    const answer = await piece
    expect(await bytesOf(answer)).toEqual(Buffer.alloc(10, 1))
    expect(second.readableLength).toBe(6)
    if (answer.kind === 'piece') answer.end('whole')
    expect(await over).toBe('whole')
    expect(relay.take(device('has'), transfer, second, 10)).toBeUndefined()
  })

  it('takes one piece at a time from a device, and gives one at a time', async () => {
    const { relay, ask, piece, has } = await openAsked()
    expect(await ask('third').piece).toEqual({ kind: 'busy' })
    expect(await ask('wants').piece).toEqual({ kind: 'busy' })
    relay.linkGone(has.link)
    expect(await piece).toEqual({ kind: 'busy' })
  })

  it.each([
    ['can not send it', Buffer.alloc(0), undefined],
    ['says that it can not', Buffer.alloc(0), 0],
    ['sends less', Buffer.alloc(9), 9],
  ])('can be asked for again if the device %s', async (_, bytes, declared) => {
    const { relay, piece, transfer } = await openAsked()
    expect(await relay.take(device('has'), transfer, bodyOf(bytes), declared)).toBe('failed')
    expect(await piece).toEqual({ kind: 'busy' })
  })

  it('can be asked for again if the device stays silent', async () => {
    const { ask } = open([linkOf('has', [model]), linkOf('wants')], { firstByteMs: 1 })
    expect(await ask('wants').piece).toEqual({ kind: 'busy' })
  })

  it('comes from another device if one sends no byte in time, and that one is asked last from then on', async () => {
    const [silent, quick] = [linkOf('silent', [model]), linkOf('quick', [model])]
    const { relay, ask } = open([silent, quick], { firstByteMs: 50 })
    silent.hears.now = (transfer) => void relay.take(device('silent'), transfer, new PassThrough(), 10)
    quick.hears.now = (transfer) => void relay.take(device('quick'), transfer, bodyOf(Buffer.alloc(10, 1)), 10)
    for (const wants of ['one', 'two']) {
      const { piece, close } = ask(wants, MAX_PIECE_BYTES)
      expect(await bytesOf(await piece)).toEqual(Buffer.alloc(10, 1))
      close()
    }
    expect([silent.wanted().length, quick.wanted().length]).toEqual([1, 2])
  })
})

describe('a device that copies', () => {
  it('gets its next piece when it has read the one before', async () => {
    const { relay, ask, budget, has, transfer, piece, close } = await openAsked()
    void relay.take(device('has'), transfer, bodyOf(Buffer.alloc(10)), 10)
    const answer = await piece
    if (answer.kind === 'piece') answer.end('whole')
    expect(budget.usedBytes).toBe(TRANSFER_BYTES)
    expect(await ask('wants').piece).toEqual({ kind: 'busy' })
    close()
    expect(budget.usedBytes).toBe(0)
    void ask('wants')
    await expect.poll(has.wanted).toHaveLength(2)
  })

  it('frees the device that has the model when it leaves', async () => {
    const { ask, piece, close, has } = await openAsked()
    close()
    expect(await piece).toEqual({ kind: 'busy' })
    void ask('third')
    await expect.poll(has.wanted).toHaveLength(2)
  })

  it('is told so when its organization has its share of copies, and others still have theirs', async () => {
    const holders = Array.from({ length: 4 }, (_, index) => linkOf(`has-${index}`, [model]))
    const other = linkOf('has', [model], 'other')
    const { ask } = open([...holders, other], { budget: new ByteBudget(6 * TRANSFER_BYTES), firstByteMs: 1_000_000 })
    const greedy = Array.from({ length: 4 }, (_, index) => ask(`wants-${index}`))
    expect(await greedy[3]!.piece).toEqual({ kind: 'full', full: expect.any(String) })
    void ask('wants', 0, 'other')
    await expect.poll(other.wanted).toHaveLength(1)
    for (const { close } of greedy) close()
  })
})
