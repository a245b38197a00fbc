import { describe, expect, it } from 'vitest'
import { Stage, model } from './stage.ts'
import type { DeviceModel, Ticket } from './types.ts'

/** A model whose tokens are reported. */
function file(digest = 'f1', rest: Partial<DeviceModel> = {}): { models: DeviceModel[] } {
  return { models: [{ ...model('small', 1, ['resume', 'web_search']), digest, ...rest }] }
}

/** A stream of which the client has three events. */
function begin(ticket: Partial<Ticket> = {}, rest: Partial<DeviceModel> = {}): Stage {
  const stage = new Stage().up('one', file('f1', rest)).submit('a', ticket).accept('a')
  for (const sequence of [0, 1, 2]) stage.receive('a', sequence)
  stage.take()
  return stage
}

describe('a stream whose device is lost', () => {
  it('[S60] continues on another device with the same file', () => {
    const stage = begin().up('two', file())
    expect(stage.down('one').take()).toEqual(['offer a to two'])
    stage.accept('a')
    expect([0, 1].map((sequence) => stage.receive('a', sequence))).toEqual(['deliver', 'deliver'])
    expect(stage.end('a', 2)).toBe('deliver')
    expect(stage.take()).toEqual(['finish a: ended'])
  })

  it.each([
    ['another file', file('f2')],
    ['less context', file('f1', { contextLength: 2048 })],
    ['an app that can’t continue replies', file('f1', { features: [] })],
    ['an unknown file', { models: [model('small', 1, ['resume'])] }],
  ])('[S60a] is not continued by a device with %s', (_, other) => {
    const stage = begin().up('two', other)
    expect(stage.down('one').take()).toEqual([])
    expect(stage.pass(14_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: device-lost'])
  })

  it('[S60b] continues on the same device if it is back within 15 seconds', () => {
    const stage = begin().down('one').pass(14_000)
    expect(stage.up('one', { ...file(), epoch: 2 }).take()).toEqual(['offer a to one'])
  })

  it('[S60b] waits for a busy device that can continue it, like any job', () => {
    const stage = begin().up('two', file()).submit('b')
    stage.accept('b').down('one')
    stage.take()
    expect(stage.pass(60_000).take()).toEqual([])
    stage.end('b')
    expect(stage.take()).toEqual(['finish b: ended', 'offer a to two'])
  })

  it('[S60c] continues when its device fails or takes too long, elsewhere', () => {
    expect(begin().up('two', file()).fail('a').take()).toEqual(['offer a to two'])
    expect(begin().up('two', file()).pass(60_000).take()).toEqual(['cancel a on one: timed-out', 'offer a to two'])
  })

  it('[S60d] continues any number of times as long as each device adds to it', () => {
    const stage = begin()
    for (let round = 0; round < 6; round++) {
      const [from, to] = round % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)
      stage
        .up(to, { ...file(), epoch: round + 2 })
        .down(from, round + 1)
        .take()
      stage.accept('a')
      expect(stage.receive('a', 0)).toBe('deliver')
    }
    stage.take()
    expect(stage.end('a', 1)).toBe('deliver')
  })

  it('[S60d] ends after three devices that added nothing', () => {
    const stage = begin()
    for (const device of ['two', 'three']) stage.up(device, file())
    stage.down('one').accept('a').down('two').accept('a').take()
    expect(stage.down('three').take()).toEqual(['finish a: device-lost'])
  })

  it('[S60e] starts over anywhere if its client has nothing of it yet', () => {
    const stage = new Stage().up('one', file()).submit('a').accept('a')
    stage.core.receive(stage.reporter('a'), 0, 16, stage.now, false)
    stage.up('two', file('f2')).take()
    expect(stage.down('one').take()).toEqual(['restart a', 'offer a to two'])
  })

  it('[S60f] is not continued after a web search, or once it is too long', () => {
    const searching = begin({ features: ['web_search'] }).up('two', file())
    expect(searching.down('one').take()).toEqual(['finish a: device-lost'])
    const long = begin().up('two', file())
    long.core.stopRecording('a')
    expect(long.down('one').take()).toEqual(['finish a: device-lost'])
  })

  it('[S60g] is not continued if its model was disabled', () => {
    const stage = begin().up('two', file())
    stage.core.modelClosed('acme', 'small', stage.now)
    expect(stage.down('one').take()).toEqual(['finish a: model-disabled'])
  })
})

describe('a whole reply whose device is lost', () => {
  it('[S61] continues where that is possible, and starts over where not', () => {
    expect(begin({ rerunnable: true }).up('two', file()).down('one').take()).toEqual(['offer a to two'])
    const other = begin({ rerunnable: true }).up('two', file('f2'))
    expect(other.down('one').take()).toEqual(['restart a', 'offer a to two'])
  })
})

describe('tokens', () => {
  it('[S62] of all devices that wrote a reply count once', () => {
    const stage = begin().up('two', file()).down('one').accept('a')
    stage.receive('a', 0, 4)
    stage.take()
    stage.core.cancel('a', 'client-gone', stage.now)
    expect(stage.core.effects.at(-1)).toMatchObject({ type: 'finish', tokens: { prompt: 250, completion: 7 } })
  })

  it('[S62] count for a stream that nobody continued', () => {
    const stage = begin().down('one')
    stage.core.tick((stage.now += 15_000))
    expect(stage.core.effects.at(-1)).toMatchObject({ type: 'finish', tokens: { prompt: 250, completion: 3 } })
  })
})
