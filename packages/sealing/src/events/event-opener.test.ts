import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_EVENT_BOX_BYTES } from '../limits.ts'
import { exampleContentKey, withFlippedBit } from '../testing/examples.ts'
import { EventOpener } from './event-opener.ts'
import { EventSealer } from './event-sealer.ts'
import { openBegun } from './open-begun.ts'
import { EMPTY_TRANSCRIPT } from './transcript.ts'

const contentKey = exampleContentKey()
const rejected = (reason: string) => ({ kind: 'rejected', reason })
const TEXTS = ['one', 'two', 'three']

describe('events of one attempt', () => {
  it('open in the order in which they were sealed', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), fc.nat(), (plains, attempt) => {
        const sealer = new EventSealer(contentKey, attempt, EMPTY_TRANSCRIPT)
        const opener = new EventOpener(contentKey)
        for (const [sequence, plain] of plains.entries()) {
          expect(sealer.sequence).toBe(sequence)
          const box = sealer.seal(plain).toString('base64')
          expect(opener.open({ attempt, sequence, box })).toEqual({ kind: 'opened', plain: Buffer.from(plain) })
        }
      }),
      { numRuns: 30 },
    )
  })

  it('never share a key: the same attempt, started twice, gives other salts and other boxes', () => {
    const runs = Array.from({ length: 50 }, () => new EventSealer(contentKey, 0, EMPTY_TRANSCRIPT))
    const boxes = runs.map((sealer) => [sealer.seal(Buffer.from('a')), sealer.seal(Buffer.from('a'))])
    expect(new Set(boxes.map(([first]) => first!.toString('hex', 0, 32))).size).toBe(runs.length)
    expect(new Set(boxes.map(([, second]) => second!.toString('hex'))).size).toBe(runs.length)
  })

  it('are what the format says, written down a second time', () => {
    const transcript = createHash('sha256').update('before').digest()
    const sealer = new EventSealer(contentKey, 3, transcript)
    const [first, second] = [sealer.seal(Buffer.from('one')), sealer.seal(Buffer.from('two'))]
    const error = sealer.sealError(Buffer.from('oh'))
    const context = Buffer.concat([Buffer.from([0, 0, 0, 3]), transcript])
    const key = hkdf(first.subarray(0, 32), Buffer.concat([Buffer.from('hearth/seal/events/1'), context]))
    expect(decrypt(key, 0, first.subarray(32))).toEqual(padded('one'))
    expect(decrypt(key, 1, second)).toEqual(padded('two'))
    const forErrors = hkdf(error.subarray(0, 32), Buffer.concat([Buffer.from('hearth/seal/error/1'), context]))
    expect(decrypt(forErrors, 0, error.subarray(32))).toEqual(padded('oh'))
  })
})

describe('a gateway that tampers with events', () => {
  it('cannot change a bit, or cut a byte off either end', () => {
    const boxes = sealAll(TEXTS)
    for (const [at, text] of boxes.entries()) {
      const box = Buffer.from(text, 'base64')
      const longer = Buffer.concat([box, Buffer.alloc(1)])
      const changed: Buffer[] = [box.subarray(1), box.subarray(0, -1), Buffer.alloc(0), longer]
      for (let bit = 0; bit < box.length * 8; bit++) changed.push(withFlippedBit(box, bit))
      for (const bytes of changed) {
        const opener = openedUpTo(boxes, at)
        const result = opener.open({ attempt: 0, sequence: at, box: bytes.toString('base64') })
        expect(result).toEqual(rejected('not-opened'))
      }
    }
  })

  it('cannot leave one out, double one, or swap two', () => {
    const boxes = sealAll(TEXTS)
    const [first, second, third] = boxes as [string, string, string]
    for (const order of [[first, third], [first, second, second], [second], [third, second, first], [first, first]]) {
      expect(openAll(order).at(-1)).toEqual(rejected('not-opened'))
    }
    const opener = openedUpTo(boxes, 1)
    expect(opener.open({ attempt: 0, sequence: 2, box: third })).toEqual(rejected('out-of-order'))
  })

  it('cannot mix in events of another job, another attempt, or the same attempt on another device', () => {
    const boxes = sealAll(TEXTS)
    const others = [sealAll(TEXTS, { key: exampleContentKey(2) }), sealAll(TEXTS, { attempt: 1 }), sealAll(TEXTS)]
    for (const other of others) {
      const opener = openedUpTo(boxes, 1)
      expect(opener.open({ attempt: 0, sequence: 1, box: other[1]! })).toEqual(rejected('not-opened'))
    }
    for (const other of others.slice(0, 2)) expect(openAll(other).at(-1)).toEqual(rejected('not-opened'))
  })

  it('cannot pass an error off as an event, nor an event as an error', () => {
    const sealer = new EventSealer(contentKey, 0, EMPTY_TRANSCRIPT)
    const event = sealer.seal(Buffer.from('event')).toString('base64')
    const error = sealer.sealError(Buffer.from('error')).toString('base64')
    expect(new EventOpener(contentKey).open({ attempt: 0, sequence: 0, box: error })).toEqual(rejected('not-opened'))
    expect(new EventOpener(contentKey).openError({ attempt: 0, box: event })).toEqual(rejected('not-opened'))
    expect(new EventOpener(contentKey).openError({ attempt: 1, box: error })).toEqual(rejected('not-opened'))
  })

  it('cannot go on after anything did not fit', () => {
    const boxes = sealAll(TEXTS)
    const opener = openedUpTo(boxes, 1)
    opener.open({ attempt: 0, sequence: 1, box: boxes[2]! })
    expect(opener.open({ attempt: 0, sequence: 1, box: boxes[1]! })).toEqual(rejected('not-opened'))
    opener.restart()
    const next = new EventSealer(contentKey, 1, EMPTY_TRANSCRIPT).seal(Buffer.from('x')).toString('base64')
    expect(opener.open({ attempt: 1, sequence: 0, box: next })).toEqual(rejected('not-opened'))
  })

  it('cannot make the client decode what is too large or malformed', () => {
    const large = 'A'.repeat(Math.ceil(MAX_EVENT_BOX_BYTES / 3) * 4 + 4)
    expect(new EventOpener(contentKey).open({ attempt: 0, sequence: 0, box: large })).toEqual(rejected('too-large'))
    for (const box of ['!!!!', 'A', undefined, 7] as string[]) {
      expect(new EventOpener(contentKey).open({ attempt: 0, sequence: 0, box })).toEqual(rejected('malformed'))
      expect(new EventOpener(contentKey).openError({ attempt: 0, box })).toEqual(rejected('malformed'))
    }
    for (const attempt of [-1, 0.5, 2 ** 32, Number.NaN]) {
      const box = sealAll(['x'])[0]!
      expect(new EventOpener(contentKey).open({ attempt, sequence: 0, box })).toEqual(rejected('out-of-order'))
    }
  })
})

describe('a reply over several attempts', () => {
  it('continues where the next device was told the same beginning', () => {
    const opener = new EventOpener(contentKey)
    const begun: { attempt: number; boxes: string[] }[] = []
    for (const attempt of [0, 2, 3]) {
      const sofar = openedBegun(begun)
      expect(sofar.attempts.map(({ plains }) => plains.map(String))).toEqual(begun.map(() => TEXTS))
      const boxes = sealAll(TEXTS, { attempt, transcript: sofar.transcript })
      for (const [sequence, box] of boxes.entries()) {
        const plain = Buffer.from(TEXTS[sequence]!)
        expect(opener.open({ attempt, sequence, box })).toEqual({ kind: 'opened', plain })
      }
      begun.push({ attempt, boxes })
    }
  })

  it('does not open where the device was told less, more, or something else than the client got', () => {
    const boxes = sealAll(TEXTS)
    const elsewhere = sealAll(TEXTS)
    for (const told of [[], boxes.slice(0, 2), elsewhere]) {
      const next = continueAfter([{ attempt: 0, boxes: told }])
      expect(openedUpTo(boxes, 3).open({ attempt: 1, sequence: 0, box: next })).toEqual(rejected('not-opened'))
    }
    const next = continueAfter([{ attempt: 0, boxes }])
    expect(openedUpTo(boxes, 2).open({ attempt: 1, sequence: 0, box: next })).toEqual(rejected('not-opened'))
    expect(new EventOpener(contentKey).open({ attempt: 1, sequence: 0, box: next })).toEqual(rejected('not-opened'))
  })

  it('does not go back to an earlier attempt', () => {
    const boxes = sealAll(TEXTS)
    const opener = openedUpTo(boxes, 2)
    const next = continueAfter([{ attempt: 0, boxes: boxes.slice(0, 2) }])
    expect(opener.open({ attempt: 1, sequence: 0, box: next }).kind).toBe('opened')
    expect(opener.open({ attempt: 0, sequence: 2, box: boxes[2]! })).toEqual(rejected('out-of-order'))
  })

  it('forgets what came when it starts again, but not which attempts there were', () => {
    const boxes = sealAll(TEXTS)
    const opener = openedUpTo(boxes, 2)
    opener.restart()
    const again = sealAll(['again'], { attempt: 1 })[0]!
    expect(opener.open({ attempt: 1, sequence: 0, box: again }).kind).toBe('opened')
    const late = openedUpTo(boxes, 2)
    late.restart()
    expect(late.open({ attempt: 0, sequence: 0, box: boxes[0]! })).toEqual(rejected('out-of-order'))
  })

  it('is not changed by an attempt that delivered nothing', () => {
    const boxes = sealAll(TEXTS)
    const begun = [boxes, []].map((delivered, attempt) => ({ attempt, boxes: delivered }))
    const next = continueAfter(begun, 2)
    expect(openedUpTo(boxes, 3).open({ attempt: 2, sequence: 0, box: next }).kind).toBe('opened')
  })

  it('ends with the error of an attempt, whether that delivered something or not', () => {
    const boxes = sealAll(TEXTS)
    const sealer = new EventSealer(contentKey, 1, openedBegun([{ attempt: 0, boxes }]).transcript)
    const early = sealer.sealError(Buffer.from('early')).toString('base64')
    const event = sealer.seal(Buffer.from('four')).toString('base64')
    const late = sealer.sealError(Buffer.from('late')).toString('base64')
    expect(openedUpTo(boxes, 3).openError({ attempt: 1, box: early })).toMatchObject({ plain: Buffer.from('early') })
    expect(openedUpTo(boxes, 2).openError({ attempt: 1, box: early })).toEqual(rejected('not-opened'))
    const opener = openedUpTo(boxes, 3)
    opener.open({ attempt: 1, sequence: 0, box: event })
    expect(opener.openError({ attempt: 1, box: late })).toMatchObject({ plain: Buffer.from('late') })
  })

  it('has the transcript that the format says', () => {
    const boxes = sealAll(TEXTS, { attempt: 4 })
    const hash = createHash('sha256').update('hearth/seal/transcript/1').update(Buffer.alloc(32)).update(uint32(4))
    for (const text of boxes) {
      const box = Buffer.from(text, 'base64')
      hash.update(uint32(box.length)).update(box)
    }
    expect(openBegun(contentKey, [{ attempt: 4, boxes }])).toMatchObject({ transcript: hash.digest() })
  })
})

describe('the beginning of a reply that a gateway tells a device', () => {
  const boxes = sealAll(TEXTS)

  it('is empty for the first attempt', () => {
    expect(openBegun(contentKey, [])).toEqual({ kind: 'opened', attempts: [], transcript: EMPTY_TRANSCRIPT })
  })

  it('is rejected if attempts or boxes are out of order, changed or missing in the middle', () => {
    for (const order of [
      [1, 0],
      [0, 0],
    ]) {
      const attempts = order.map((attempt) => ({ attempt, boxes: sealAll(TEXTS, { attempt }) }))
      expect(openBegun(contentKey, attempts)).toEqual(rejected('out-of-order'))
    }
    const other = sealAll(TEXTS, { key: exampleContentKey(2) })
    for (const wrong of [boxes.toReversed(), boxes.slice(1), [boxes[0]!, boxes[2]!], other]) {
      expect(openBegun(contentKey, [{ attempt: 0, boxes: wrong }])).toEqual(rejected('not-opened'))
    }
  })

  it('is bounded', () => {
    const attempts = Array.from({ length: 65 }, (_, attempt) => ({ attempt, boxes: [] }))
    expect(openBegun(contentKey, attempts)).toEqual(rejected('too-large'))
    const million = 'A'.repeat(1_000_000)
    const large = Array.from({ length: 12 }, () => million)
    expect(openBegun(contentKey, [{ attempt: 0, boxes: large }])).toEqual(rejected('too-large'))
  })
})

function sealAll(texts: string[], { key = contentKey, attempt = 0, transcript = EMPTY_TRANSCRIPT } = {}): string[] {
  const sealer = new EventSealer(key, attempt, transcript)
  return texts.map((text) => sealer.seal(Buffer.from(text)).toString('base64'))
}

function openAll(boxes: string[]) {
  const opener = new EventOpener(contentKey)
  return boxes.map((box, sequence) => opener.open({ attempt: 0, sequence, box }))
}

function openedUpTo(boxes: string[], count: number): EventOpener {
  const opener = new EventOpener(contentKey)
  for (const [sequence, box] of boxes.slice(0, count).entries()) {
    if (opener.open({ attempt: 0, sequence, box }).kind === 'rejected') throw new Error('does not open')
  }
  return opener
}

/** The first box of the attempt that continues this beginning. */
function continueAfter(begun: { attempt: number; boxes: string[] }[], attempt = 1): string {
  return sealAll(['next'], { attempt, transcript: openedBegun(begun).transcript })[0]!
}

function openedBegun(begun: { attempt: number; boxes: string[] }[]) {
  const opened = openBegun(contentKey, begun)
  if (opened.kind === 'rejected') throw new Error(opened.reason)
  return opened
}

// The format, with HMAC and AES alone.

function hkdf(salt: Uint8Array, info: Uint8Array): Buffer {
  const secret = createHmac('sha256', salt).update(contentKey.export()).digest()
  return createHmac('sha256', secret)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
}

function decrypt(key: Buffer, sequence: number, box: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.concat([Buffer.alloc(8), uint32(sequence)]))
  decipher.setAuthTag(box.subarray(-16))
  return Buffer.concat([decipher.update(box.subarray(0, -16)), decipher.final()])
}

function padded(text: string): Buffer {
  return Buffer.concat([uint32(text.length), Buffer.from(text), Buffer.alloc(60 - text.length)])
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
