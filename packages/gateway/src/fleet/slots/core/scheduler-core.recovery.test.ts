import type { DeviceModel } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { Stage, model } from './stage.ts'
import type { Ticket } from '../../terms/job.ts'

/** A model whose tokens are reported. */
function file(digest = 'f1', rest: Partial<DeviceModel> = {}): { models: DeviceModel[] } {
  return { models: [{ ...model('small', 1, ['resume', 'web_search']), digest, ...rest }] }
}

/** A stream of which the client has three events. */
function begin(ticket: Partial<Ticket> = {}, rest: Partial<DeviceModel> = {}): Stage {
  const stage = new Stage().up('one', file('f1', rest)).submit('a', ticket).accept('a')
  stage.deliver('a', 3).take()
  return stage
}

describe('a stream whose device is lost', () => {
  it('[S60] continues on another device with the same file', () => {
    const stage = begin().up('two', file())
    expect(stage.down('one').take()).toEqual(['continue a on two'])
    expect(stage.accept('a').deliver('a', 2).end('a').take()).toEqual(['finish a: ended'])
  })

  it.each([
    ['another file', file('f2')],
    ['less context', file('f1', { contextLength: 2048 })],
    ['an app that can’t continue replies', file('f1', { features: [] })],
    ['an unknown file', { models: [model('small', 1, ['resume'])] }],
  ])('[S60] is not continued by a device with %s', (_, other) => {
    const stage = begin().up('two', other)
    expect(stage.down('one').take()).toEqual([])
    expect(stage.pass(14_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: device-lost'])
  })

  it('[S60] continues on the same device if it is back within 15 seconds', () => {
    const stage = begin().down('one').pass(14_000)
    expect(stage.up('one', { ...file(), epoch: 2 }).take()).toEqual(['continue a on one'])
  })

  it('[S60] waits for a busy device that can continue it, like any job', () => {
    const stage = begin().up('two', file()).submit('b')
    stage.accept('b').down('one')
    stage.take()
    expect(stage.pass(60_000).take()).toEqual([])
    stage.end('b')
    expect(stage.take()).toEqual(['finish b: ended', 'continue a on two'])
  })

  it('[S60] continues when its device fails or takes too long, elsewhere', () => {
    expect(begin().up('two', file()).fail('a').take()).toEqual(['continue a on two'])
    expect(begin().up('two', file()).pass(60_000).take()).toEqual(['cancel a on one: timed-out', 'continue a on two'])
  })

  it('[S60] continues any number of times as long as each device adds to it', () => {
    const stage = begin()
    for (let round = 0; round < 6; round++) {
      const [from, to] = round % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)
      stage
        .up(to, { ...file(), epoch: round + 2 })
        .down(from, round + 1)
        .take()
      stage.accept('a').deliver('a')
      expect(stage.holds('a')).toBe(true)
    }
    expect(stage.end('a').take()).toEqual(['finish a: ended'])
  })

  it('[S60] ends after three devices that added nothing', () => {
    const stage = begin()
    for (const device of ['two', 'three']) stage.up(device, file())
    stage.down('one').accept('a').down('two').accept('a').take()
    expect(stage.down('three').take()).toEqual(['finish a: device-lost'])
  })

  it('starts over anywhere if its client has nothing of it yet', () => {
    const stage = new Stage().up('one', file()).submit('a').accept('a')
    stage.core.delivered(stage.reporter('a'), { nextSequence: 1, tokens: 16, isShown: false }, stage.now)
    stage.up('two', file('f2')).take()
    expect(stage.down('one').take()).toEqual(['offer a to two'])
  })

  it('is not continued after a web search, or once it is too long', () => {
    const searching = begin({ features: ['web_search'] }).up('two', file())
    expect(searching.down('one').take()).toEqual(['finish a: device-lost'])
    const long = begin().up('two', file())
    long.core.stopRecording('a')
    expect(long.down('one').take()).toEqual(['finish a: device-lost'])
  })

  it('[H80a] is not continued if its model was disabled', () => {
    const stage = begin().up('two', file())
    stage.core.modelClosed('acme', 'small', stage.now)
    expect(stage.down('one').take()).toEqual(['finish a: model-disabled'])
  })
})

describe('a whole reply whose device is lost', () => {
  it('[H84b] continues where that is possible, and starts over where not', () => {
    expect(begin({ rerunnable: true }).up('two', file()).down('one').take()).toEqual(['continue a on two'])
    const other = begin({ rerunnable: true }).up('two', file('f2'))
    expect(other.down('one').take()).toEqual(['offer a to two'])
  })
})
