import { describe, expect, it } from 'vitest'
import { MAX_HEADER_BYTES, MAX_JOB_BOX_BYTES, MAX_WRAPPED_KEYS } from '../limits.ts'
import { exampleDevice, exampleHeader, withFlippedBit } from '../testing/examples.ts'
import { readSealedHeader } from './header.ts'
import { openJob } from './open-job.ts'
import { sealJob } from './seal-job.ts'
import { readSealedJob, type SealedJob, type WrappedKey } from './sealed-job.ts'

const TEXT = '{"messages":[{"role":"user","content":"hello, größe 👩‍🚀\\ud83d"}]}'
const device = exampleDevice('device_1')
const other = exampleDevice('device_2')
const header = exampleHeader({ maxTokens: 100, prefixes: [{ hash: 0xff_ff_ff_ff, size: 256 }] })
const { body, contentKey } = await sealJob({ header, job: TEXT, devices: [device, other] })

const rejected = (reason: string) => ({ kind: 'rejected', reason })

describe('a sealed job', () => {
  it('opens on each device that it was sealed for', async () => {
    for (const { id, privateKey } of [device, other]) {
      const opened = await openJob({ sealed: body, device: id, privateKey })
      expect(opened).toMatchObject({ kind: 'opened', header, job: TEXT })
      expect(opened.kind === 'opened' && opened.contentKey.equals(contentKey)).toBe(true)
    }
  })

  it('has a new content key each time, so equal jobs look different', async () => {
    const again = await sealJob({ header, job: TEXT, devices: [device] })
    expect(again.contentKey.equals(contentKey)).toBe(false)
    expect(again.body.box).not.toBe(body.box)
  })

  it('is as long for "yes" as for "no"', async () => {
    const sizes = ['"no"', '"yes"', TEXT].map(
      async (job) => (await sealJob({ header, job, devices: [device] })).body.box.length,
    )
    expect(new Set(await Promise.all(sizes)).size).toBe(1)
  })

  it('shows nothing of itself in what travels', () => {
    const everything = JSON.stringify(body)
    expect(everything).not.toContain('hello')
    expect(everything).not.toContain(Buffer.from('hello').toString('base64').slice(0, 6))
  })

  it('is for 1 to 64 devices', async () => {
    const devices = Array.from({ length: MAX_WRAPPED_KEYS + 1 }, () => device)
    await expect(sealJob({ header, job: TEXT, devices })).rejects.toThrow(RangeError)
    await expect(sealJob({ header, job: TEXT, devices: [] })).rejects.toThrow(RangeError)
  })
})

describe('a gateway that changes a sealed job', () => {
  it('cannot open it on a device that it was not sealed for', async () => {
    const stranger = exampleDevice('device_3')
    expect(await openAt(body, stranger)).toEqual(rejected('not-for-this-device'))
    expect(await openAt(body, { ...stranger, id: device.id })).toEqual(rejected('not-opened'))
  })

  it('cannot give a device the key of another', async () => {
    const [first, second] = body.keys as [WrappedKey, WrappedKey]
    const swapped = { ...body, keys: [{ ...second, device: first.device }] }
    expect(await openAt(swapped)).toEqual(rejected('not-opened'))
  })

  it('cannot change a word of the header', async () => {
    const changes = [{ organization: 'org_2' }, { model: 'large' }, { features: [] }, { choices: 2 }, { sealedAt: 1 }]
    for (const change of changes) {
      const changed = JSON.stringify({ ...header, ...change })
      expect(await openAt({ ...body, header: changed })).toEqual(rejected('not-opened'))
    }
    expect(await openAt({ ...body, header: `${body.header} ` })).toEqual(rejected('not-opened'))
  })

  it('cannot change a bit of the wrapped key', async () => {
    for (const field of ['enc', 'key'] as const) {
      const bytes = Buffer.from(body.keys[0]![field], 'base64url')
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        expect(await openAt(withKey({ [field]: withFlippedBit(bytes, bit).toString('base64url') }))).toEqual(
          rejected('not-opened'),
        )
      }
      // X25519 ignores this bit, but HPKE doesn't.
      const last = withFlippedBit(bytes, bytes.length * 8 - 1).toString('base64url')
      expect(await openAt(withKey({ [field]: last }))).toEqual(rejected('not-opened'))
    }
  })

  it('cannot change, cut, lengthen or swap the box', async () => {
    const box = Buffer.from(body.box, 'base64')
    const another = (await sealJob({ header, job: TEXT, devices: [device] })).body.box
    const boxes = [
      withFlippedBit(box, 0),
      withFlippedBit(box, 4_000),
      box.subarray(1),
      box.subarray(0, -1),
      Buffer.concat([box, box]),
      Buffer.alloc(0),
    ]
    for (const changed of [...boxes.map((bytes) => bytes.toString('base64')), another]) {
      expect(await openAt({ ...body, box: changed })).toEqual(rejected('not-opened'))
    }
  })

  it('cannot make the device decode what is too large or not base64', async () => {
    const large = 'A'.repeat(Math.ceil(MAX_JOB_BOX_BYTES / 3) * 4 + 4)
    expect(await openAt({ ...body, box: large })).toEqual(rejected('too-large'))
    expect(await openAt({ ...body, box: '!!!!' })).toEqual(rejected('malformed'))
    expect(await openAt(withKey({ enc: 'A'.repeat(1_000) }))).toEqual(rejected('malformed'))
    // A point of small order: the agreed secret would be known to everyone.
    expect(await openAt(withKey({ enc: 'A'.repeat(43) }))).toEqual(rejected('not-opened'))
  })
})

describe('the shape of a sealed job', () => {
  it('is read from JSON', () => {
    expect(readSealedJob(JSON.parse(JSON.stringify(body)))).toEqual(body)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no keys', { ...body, keys: [] }],
    ['a device twice', { ...body, keys: [body.keys[0], body.keys[0]] }],
    ['65 keys', { ...body, keys: Array.from({ length: 65 }, (_, n) => ({ ...body.keys[0], device: `${n}` })) }],
    ['a short key', { ...body, keys: [{ ...body.keys[0], key: 'AAAA' }] }],
    ['a long header', { ...body, header: 'x'.repeat(MAX_HEADER_BYTES + 1) }],
    ['a box of bytes', { ...body, box: [1, 2] }],
  ])('is rejected: %s', (_, value) => {
    expect(readSealedJob(value)).toBeUndefined()
  })
})

describe('the header', () => {
  it('is read as it was written', () => {
    expect(readSealedHeader(JSON.stringify(header))).toEqual(header)
    expect(readSealedHeader(JSON.stringify(exampleHeader()))).toEqual(exampleHeader())
  })

  it.each<[string, object]>([
    ['another version', { version: 2 }],
    ['no organization', { organization: '' }],
    ['a short ID', { id: 'AAAA' }],
    ['a time in the text', { sealedAt: 'now' }],
    ['no model', { model: undefined }],
    ['65 features', { features: Array.from({ length: 65 }, (_, n) => `f${n}`) }],
    ['a feature that is a number', { features: [1] }],
    ['a stream that is neither yes nor no', { stream: 1 }],
    ['no choice', { choices: 0 }],
    ['fewer tokens than none', { promptTokens: -1 }],
    ['half a token', { maxTokens: 0.5 }],
    ['a hash of more than 32 bits', { prefixes: [{ hash: 2 ** 32, size: 1 }] }],
    ['65 prefixes', { prefixes: Array.from({ length: 65 }, () => ({ hash: 1, size: 1 })) }],
    ['a model that is not a text in UTF-8', { model: 'x\ufffdx' }],
  ])('is rejected: %s', (_, changes) => {
    const text = JSON.stringify({ ...header, ...changes }).replace('\ufffd', '\ud800')
    expect(readSealedHeader(text)).toBeUndefined()
  })

  it('is rejected if it is too long or not JSON', () => {
    for (const text of [undefined, '', '[]', '{', `${JSON.stringify(header)}${' '.repeat(MAX_HEADER_BYTES)}`]) {
      expect(readSealedHeader(text)).toBeUndefined()
    }
  })
})

function openAt(sealed: SealedJob, { id, privateKey } = device) {
  return openJob({ sealed, device: id, privateKey })
}

function withKey(changes: Partial<WrappedKey>): SealedJob {
  return { ...body, keys: body.keys.map((key) => (key.device === device.id ? { ...key, ...changes } : key)) }
}
