import { MAX_PIECE_BYTES, type GatewayFrame, type SharedModel } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { Link } from '../link.ts'
import { RelayPace } from './relay-pace.ts'
import { Relay } from './relay.ts'

const DIGEST = 'a'.repeat(64)
const model: SharedModel = {
  name: 'qwen3:8b',
  source: 'qwen3',
  quant: 'Q4_K_M',
  files: [{ name: 'x.gguf', bytes: MAX_PIECE_BYTES + 10, sha256: DIGEST }],
}

function device(id: string, organization = 'acme') {
  return { id, organization, name: id }
}

function linkOf(id: string, shared: readonly SharedModel[] = [], organization = 'acme') {
  const frames: GatewayFrame[] = []
  const link = {
    identity: device(id, organization),
    state: { name: 'serving' },
    report: { shared },
    send: (frame: GatewayFrame) => frames.push(frame),
  } as unknown as Link
  const wanted = () => frames.flatMap((frame) => (frame.type === 'piece-wanted' ? [frame] : []))
  return { link, wanted }
}

function open(links: readonly { link: Link }[], options = {}): Relay {
  const linksOf = (organization: string) =>
    links.map(({ link }) => link).filter(({ identity }) => identity.organization === organization)
  return new Relay({ linksOf, ...options })
}

describe('a copy from another device', () => {
  it('[K107] is found by its name or its source, and only within the organization', () => {
    const relay = open([linkOf('has', [model]), linkOf('wants')])
    const wants = device('wants')
    expect(relay.find(wants, { name: 'qwen3:8b', source: '' })).toBe(model)
    expect(relay.find(wants, { name: '', source: 'qwen3' })).toBe(model)
    expect(relay.find(wants, { name: 'other', source: 'other' })).toBeUndefined()
    expect(relay.find(device('wants', 'stranger'), { name: 'qwen3:8b', source: 'qwen3' })).toBeUndefined()
    expect(relay.find(device('has'), { name: 'qwen3:8b', source: 'qwen3' })).toBeUndefined()
  })

  it('comes in pieces of bounded size, from any offset', async () => {
    const has = linkOf('has', [model])
    const relay = open([has, linkOf('wants')])
    const first = relay.piece(device('wants'), DIGEST, 0)
    await expect.poll(has.wanted).toMatchObject([{ sha256: DIGEST, offset: 0, bytes: MAX_PIECE_BYTES }])
    relay.arrived(device('has'), has.wanted()[0]!.transfer, Buffer.alloc(MAX_PIECE_BYTES, 1))
    expect(await first).toMatchObject({ kind: 'piece', totalBytes: MAX_PIECE_BYTES + 10 })
    const last = relay.piece(device('wants'), DIGEST, MAX_PIECE_BYTES)
    await expect.poll(has.wanted).toHaveLength(2)
    expect(has.wanted()[1]).toMatchObject({ offset: MAX_PIECE_BYTES, bytes: 10 })
    relay.arrived(device('has'), has.wanted()[1]!.transfer, Buffer.alloc(10, 2))
    expect(await last).toEqual({ kind: 'piece', bytes: Buffer.alloc(10, 2), totalBytes: MAX_PIECE_BYTES + 10 })
    expect(await relay.piece(device('wants'), DIGEST, MAX_PIECE_BYTES + 10)).toEqual({ kind: 'unknown' })
  })

  it('[K107] is not given to another organization, nor taken from a device that was not asked', async () => {
    const has = linkOf('has', [model])
    const relay = open([has, linkOf('wants'), linkOf('third')])
    expect(await relay.piece(device('wants', 'stranger'), DIGEST, 0)).toEqual({ kind: 'unknown' })
    const piece = relay.piece(device('wants'), DIGEST, MAX_PIECE_BYTES)
    await expect.poll(has.wanted).toHaveLength(1)
    const { transfer } = has.wanted()[0]!
    expect(relay.expects(device('third'), transfer)).toBeUndefined()
    relay.arrived(device('third'), transfer, Buffer.alloc(10, 9))
    relay.arrived(device('has'), transfer, Buffer.alloc(10, 1))
    expect(await piece).toMatchObject({ bytes: Buffer.alloc(10, 1) })
  })

  it('takes one piece at a time from a device, and gives one at a time', async () => {
    const has = linkOf('has', [model])
    const relay = open([has, linkOf('wants'), linkOf('third')])
    const piece = relay.piece(device('wants'), DIGEST, 0)
    expect(await relay.piece(device('third'), DIGEST, 0)).toEqual({ kind: 'busy' })
    expect(await relay.piece(device('wants'), DIGEST, 0)).toEqual({ kind: 'busy' })
    await expect.poll(has.wanted).toHaveLength(1)
    relay.linkGone(has.link)
    expect(await piece).toEqual({ kind: 'busy' })
  })

  it.each([
    ['can not send it', Buffer.alloc(0)],
    ['sends less', Buffer.alloc(9)],
  ])('can be asked for again if the device %s', async (_, bytes) => {
    const has = linkOf('has', [model])
    const relay = open([has, linkOf('wants')])
    const piece = relay.piece(device('wants'), DIGEST, MAX_PIECE_BYTES)
    await expect.poll(has.wanted).toHaveLength(1)
    relay.arrived(device('has'), has.wanted()[0]!.transfer, bytes)
    expect(await piece).toEqual({ kind: 'busy' })
  })

  it('can be asked for again if the device stays silent', async () => {
    const relay = open([linkOf('has', [model]), linkOf('wants')], { pieceMs: 1 })
    expect(await relay.piece(device('wants'), DIGEST, 0)).toEqual({ kind: 'busy' })
  })
})

describe('the pace of copies', () => {
  it('never exceeds its rate over time', async () => {
    const waits: number[] = []
    let now = 0
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms)
      now += ms
    }
    const pace = new RelayPace(1_000, () => now, wait)
    for (let piece = 0; piece < 5; piece += 1) await pace.take(500)
    expect(waits).toEqual([500, 500, 500, 500])
  })
})
