import { JOB_PART_BYTES, parseGatewayFrames, type GatewayFrame } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { PartSender } from './part-sender.ts'

const ATTEMPT = { type: 'job-start', job: 'j', attempt: 1, organization: 'o' } as const

/** A device that takes one part whenever `read` is called. */
function open() {
  const frames: GatewayFrame[] = []
  const unread: (() => void)[] = []
  const sender = new PartSender({
    send: (text, whenSent) => {
      if (whenSent === undefined) return
      parseGatewayFrames(text, (frame) => frames.push(frame))
      unread.push(whenSent)
    },
    close: () => {},
    bufferedBytes: 0,
  })
  return { sender, frames, read: () => unread.shift()?.() }
}

describe('a request in parts', () => {
  it('leaves one part at a time, as the device reads', () => {
    const { sender, frames, read } = open()
    const request = 'abc'.repeat(JOB_PART_BYTES)
    sender.start(ATTEMPT, request)
    expect(frames).toHaveLength(1)
    for (let times = 0; times < 5; times++) read()
    expect(frames.map((frame) => (frame.type === 'job-part' ? frame.text : '')).join('')).toBe(request)
    expect(frames).toHaveLength(3)
  })

  it('does not end when another attempt is over', () => {
    const { sender, frames, read } = open()
    sender.start(ATTEMPT, 'x'.repeat(10 * JOB_PART_BYTES))
    sender.stop({ job: 'j', attempt: 2 })
    read()
    expect(frames).toHaveLength(2)
  })
})
