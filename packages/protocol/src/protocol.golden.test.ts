import { describe, expect, it } from 'vitest'
import { encodeFrame, parseDeviceFrames, parseGatewayFrames } from './frames/codec.ts'
import {
  DEVICE_FRAMES,
  GATEWAY_FRAMES,
  PROTOCOL_VERSIONS,
  type DeviceFrame,
  type GatewayFrame,
} from './frames/frames.ts'
import { parseJobRequest } from './job/read-chat-job.ts'
import { CONVERSATION, GOLDEN, type End, type Frame } from './testing/golden-frames.ts'

/** Those that are not in the tables of frames. The compiler checks that none is missing. */
const OTHERS: Record<Exclude<Frame['type'], keyof typeof DEVICE_FRAMES | keyof typeof GATEWAY_FRAMES>, End> = {
  'job-delta': 'device',
  'job-sealed': 'device',
  'job-start': 'gateway',
}

function parse(from: End, wire: unknown): Frame[] {
  const frames: Frame[] = []
  const parseFrames = from === 'device' ? parseDeviceFrames : parseGatewayFrames
  parseFrames(JSON.stringify(wire), (frame: DeviceFrame | GatewayFrame) => frames.push(frame))
  return frames
}

describe('golden frames of version 1', () => {
  it('are kept for the first version and for every frame type', () => {
    expect(PROTOCOL_VERSIONS).toContain(1)
    const types = Object.keys({ ...DEVICE_FRAMES, ...GATEWAY_FRAMES, ...OTHERS })
    expect(GOLDEN.map(({ type }) => type).toSorted()).toEqual(types.toSorted())
  })

  it.each(GOLDEN)('$type is parsed and serialized as exactly the same frame', ({ from, examples }) => {
    for (const { wire, frame = wire } of examples) {
      expect(parse(from, wire)).toStrictEqual([frame])
      expect(JSON.parse(encodeFrame(frame))).toStrictEqual(frame)
    }
  })
})

describe('the golden conversation of version 1', () => {
  it('parses line by line to exactly the same frames', () => {
    for (const { from, wire } of CONVERSATION) expect(parse(from, wire)).toStrictEqual([wire].flat())
  })

  it('has a request in parts that reads as one request', () => {
    const parts = CONVERSATION.flatMap(({ wire }) => wire).filter((frame) => frame.type === 'job-part')
    expect(parseJobRequest(parts.map(({ text }) => text).join(''))).toEqual({
      model: 'qwen3:8b',
      messages: [{ role: 'user', content: 'A very long story' }],
    })
  })
})
