// The fixtures are frames that devices and gateways of each protocol version really send. Only ever add to them: a change that needs to edit
// one would break the devices that send it.

import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { encodeFrame, parseDeviceFrames, parseGatewayFrames } from './frames/codec.ts'
import { PROTOCOL_VERSIONS } from './frames/frames.ts'
import { parseJobRequest } from './job/read-chat-job.ts'
import { deviceFrames, gatewayFrames } from './testing/arbitrary-frames.ts'

type Frame = Parameters<typeof encodeFrame>[0]
type End = 'device' | 'gateway'

/** `frame` is present only if it differs from `wire`: fields unknown to this version, or null. */
interface Golden {
  from: End
  examples: { wire: Frame; frame?: Frame }[]
}

const V1 = new URL('fixtures/v1/', import.meta.url)
const types = readdirSync(V1)
  .map((file) => file.replace('.json', ''))
  .filter((type) => type !== 'conversation')
const conversation: { from: End; wire: Frame | Frame[] }[] = JSON.parse(readFixture('conversation'))

function readGolden(type: string): Golden {
  return JSON.parse(readFixture(type))
}

function readFixture(name: string): string {
  return readFileSync(new URL(`${name}.json`, V1), 'utf8')
}

function parse(from: End, wire: unknown): Frame[] {
  const frames: Frame[] = []
  const parseFrames = from === 'device' ? parseDeviceFrames : parseGatewayFrames
  parseFrames(JSON.stringify(wire), (frame) => frames.push(frame))
  return frames
}

describe('golden frames of version 1', () => {
  it('[L9] are kept for the first version and for every frame type', () => {
    expect(PROTOCOL_VERSIONS).toContain(1)
    expect(types.toSorted()).toEqual([...Object.keys(deviceFrames), ...Object.keys(gatewayFrames)].toSorted())
  })

  it.each(types)('[L9] %s parses to exactly the same frame', (type) => {
    const { from, examples } = readGolden(type)
    for (const { wire, frame } of examples) expect(parse(from, wire)).toStrictEqual([frame ?? wire])
  })

  it.each(types)('[L9] %s is serialized the same way', (type) => {
    for (const { wire, frame } of readGolden(type).examples)
      expect(JSON.parse(encodeFrame(frame ?? wire))).toStrictEqual(frame ?? wire)
  })
})

describe('the golden conversation of version 1', () => {
  it('[L9] parses line by line to exactly the same frames', () => {
    for (const { from, wire } of conversation) expect(parse(from, wire)).toStrictEqual([wire].flat())
  })

  it('has a request in parts that reads as one request', () => {
    const parts = conversation.flatMap(({ wire }) => wire).filter((frame) => frame.type === 'job-part')
    expect(parseJobRequest(parts.map(({ text }) => text).join(''))).toEqual({
      model: 'qwen3:8b',
      messages: [{ role: 'user', content: 'A very long story' }],
    })
  })
})
