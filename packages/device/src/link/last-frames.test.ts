import { describe, expect, it } from 'vitest'
import type { DeviceFrame, DeviceModel } from '@hearth/protocol'
import { LastFrames } from './last-frames.ts'

const model: DeviceModel = { name: 'm', contextLength: 8, slots: 1, features: [] }
const rest = { type: 'rest', rest: { reason: 'paused' } } as const

function openLink() {
  const sent: DeviceFrame[] = []
  return { sent, send: (frame: DeviceFrame) => sent.push(frame), room: () => undefined, close: () => {} }
}

function begin() {
  const frames = new LastFrames()
  const link = openLink()
  frames.greet([])
  frames.opened(link)
  return { frames, ...link }
}

describe('the frames that describe a device', () => {
  it('are sent when they change, and not again when they do not', () => {
    const { frames, sent } = begin()
    for (const frame of [rest, rest, { type: 'rest' }, { type: 'rest' }] as const) frames.tell(frame)
    expect(sent).toEqual([rest, { type: 'rest' }])
  })

  it('are sent again on the next link, the last of each type', () => {
    const { frames } = begin()
    frames.tell(rest)
    frames.tell({ type: 'drain' })
    frames.gone()
    frames.tell({ type: 'downloads', downloads: [{ model: 'big', doneBytes: 1 }] })
    const second = openLink()
    frames.greet([])
    frames.opened(second)
    expect(second.sent.map(({ type }) => type)).toEqual(['rest', 'drain', 'downloads'])
  })

  it('are cut to what a frame may have', () => {
    const { frames, sent } = begin()
    const problem = { name: 'cuda', why: 'y'.repeat(5_000), remedy: 'update the driver' }
    frames.tell({ type: 'backend', backend: { name: 'vulkan', card: 'NVIDIA H200', problems: [problem] } })
    expect(sent).toMatchObject([{ backend: { card: 'NVIDIA H200', problems: [{ why: 'y'.repeat(1_000) }] } }])
  })

  it('are not sent if a gateway assumes the same of every device', () => {
    const { frames, sent } = begin()
    frames.tell(rest)
    frames.tell({ type: 'rest' })
    frames.gone()
    const second = openLink()
    frames.greet([])
    frames.opened(second)
    frames.tell({ type: 'shared', models: [] })
    expect([sent.length, second.sent]).toEqual([2, []])
  })

  it('have the models of the greeting, and those that changed before the welcome', () => {
    const frames = new LastFrames()
    const [first, second] = [openLink(), openLink()]
    frames.greet([model])
    frames.opened(first)
    expect(first.sent).toEqual([])
    frames.gone()
    frames.greet([model])
    frames.tell({ type: 'models', models: [] })
    frames.opened(second)
    expect(second.sent).toEqual([{ type: 'models', models: [] }])
  })
})
