import { describe, expect, it } from 'vitest'
import { DELTA_BYTES, type DeviceFrame } from '@hearth/protocol'
import { createManualClock } from '../testing/manual-clock.ts'
import { EventSender } from './event-sender.ts'

function begin(bareId?: boolean) {
  const frames: DeviceFrame[] = []
  const clock = createManualClock()
  const link = { send: (frame: DeviceFrame) => frames.push(frame), room: () => undefined, close: () => {} }
  const sender = new EventSender({ job: 'j', attempt: 2 }, link, clock, bareId)
  const text = (value: string, choice = 0) => sender.push({ type: 'text', choice, text: value })
  return { frames, clock, sender, text }
}

describe('EventSender', () => {
  it.each([
    [true, [7, [8, 9]]],
    [undefined, [[7], [8, 9]]],
  ])('reports a single token without a list only if the gateway takes that: %s', (bareId, ids) => {
    const { frames, sender } = begin(bareId)
    const report = (text: string, id: number) => sender.push({ type: 'text', choice: 0, text, ids: [id] })
    report('a', 7)
    report('b', 8)
    report('c', 9)
    sender.flush()
    expect(frames.map((frame) => frame.type === 'job-delta' && frame.ids)).toEqual(ids)
  })

  it('sends slow text right away and joins fast text for at most 20 ms', async () => {
    const { frames, clock, text } = begin()
    text('a')
    expect(frames).toHaveLength(1)
    text('b')
    text('c')
    expect(frames).toHaveLength(1)
    await clock.advance(20)
    expect(frames.map((frame) => frame.type === 'job-delta' && frame.text)).toEqual(['a', 'bc'])
    await clock.advance(100)
    text('d')
    expect(frames).toHaveLength(3)
  })

  it('does not hold back more than 4 KiB, counting log probabilities', () => {
    const { frames, sender, text } = begin()
    text('first')
    text('x'.repeat(DELTA_BYTES))
    expect(frames).toHaveLength(2)
    const top = Array.from({ length: 20 }, () => ({ token: 't', logprob: -1, bytes: [116] }))
    for (let token = 0; token < 4; token += 1)
      sender.push({ type: 'text', choice: 0, text: 't', logprobs: [{ token: 't', logprob: -1, bytes: [116], top }] })
    expect(frames).toHaveLength(3)
    expect(frames[2]).toMatchObject({ text: 'tttt', logprobs: { length: 4 } })
  })

  it('adds up the tokens of text that it joins and keeps their ids, for each choice', async () => {
    const { frames, clock, sender } = begin()
    const push = (text: string, choice: number, ids: number[]) =>
      sender.push({ type: 'text', choice, text, ids, tokens: ids.length })
    push('a', 0, [1])
    push('b', 0, [2, 3])
    push('', 1, [9])
    push('c', 0, [4])
    await clock.advance(20)
    expect(frames).toMatchObject([
      { choice: 0, text: 'a', ids: [1], tokens: 1 },
      { choice: 0, text: 'bc', ids: [2, 3, 4], tokens: 3 },
      { choice: 1, text: '', ids: [9], tokens: 1 },
    ])
  })

  it('numbers frames from 0 without gaps, keeps the order of each choice, and ends with what is still held', () => {
    const { frames, sender, text } = begin()
    text('a0')
    text('b0', 1)
    text('a1')
    text('b1', 1)
    sender.push({ type: 'tool-calls', choice: 1, calls: [{ id: 'c', name: 'f', arguments: '{}' }] })
    text('a2')
    sender.end({ type: 'end', finishes: ['stop', 'tool_calls'], usage: { promptTokens: 1, completionTokens: 2 } })
    expect(frames.map((frame) => 'sequence' in frame && frame.sequence)).toEqual([0, 1, 2, 3, 4, 5])
    expect(frames.findIndex(({ type }) => type === 'job-calls')).toBe(3)
    expect(frames.at(-1)?.type).toBe('job-end')
    const said = (choice: number) =>
      frames.map((frame) => (frame.type === 'job-delta' && frame.choice === choice ? frame.text : '')).join('')
    expect([said(0), said(1)]).toEqual(['a0a1a2', 'b0b1'])
    expect(frames.every((frame) => 'job' in frame && frame.job === 'j' && frame.attempt === 2)).toBe(true)
  })
})
