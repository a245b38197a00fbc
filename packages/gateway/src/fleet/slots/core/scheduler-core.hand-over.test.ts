import type { DeviceModel } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { Stage, model } from './stage.ts'
import type { Ticket } from '../../terms/job.ts'

function file(digest = 'f1', rest: Partial<DeviceModel> = {}): { models: DeviceModel[] } {
  return { models: [{ ...model('small', 1, ['resume', 'web_search']), digest, ...rest }] }
}

/** A job that runs on `one`, whose owner wants the machine back. */
function begin(events = 3, ticket: Partial<Ticket> = {}): Stage {
  const stage = new Stage().up('one', file()).submit('a', ticket).accept('a')
  if (events > 0) stage.deliver('a', events)
  stage.core.deviceModels('one', 1, [], stage.now)
  stage.take()
  return stage
}

describe('a device whose owner wants it back', () => {
  it('[S63] hands a running job to another device that can continue it', () => {
    const stage = begin().up('two', file()).handOver('a')
    expect(stage.take()).toEqual(['cancel a on one: superseded', 'continue a on two'])
    expect(stage.accept('a').deliver('a').end('a').take()).toEqual(['finish a: ended'])
  })

  it('[S63] hands over a job of which nothing was computed yet, to any device', () => {
    const stage = begin(0).up('two', file('f2')).handOver('a')
    expect(stage.take()).toEqual(['cancel a on one: superseded', 'offer a to two'])
  })

  it('[S63] hands over a whole reply with what was computed of it', () => {
    const stage = begin(3, { rerunnable: true }).up('two', file()).handOver('a')
    expect(stage.take()).toEqual(['cancel a on one: superseded', 'continue a on two'])
  })

  it.each([
    ['no other device is there', undefined],
    ['the other one has another file', file('f2')],
    ['the other one can’t continue replies', file('f1', { features: [] })],
  ])('[S63] keeps the job if %s', (_, other) => {
    const stage = begin()
    if (other !== undefined) stage.up('two', other)
    expect(stage.handOver('a').take()).toEqual([])
    expect(stage.deliver('a', 4).end('a').take()).toEqual(['finish a: ended'])
  })

  it('[S63] keeps the job while the other device is busy, and hands it over when it asks again later', () => {
    const stage = begin().up('two', file()).submit('b').accept('b')
    stage.take()
    expect(stage.handOver('a').take()).toEqual([])
    stage.end('b')
    expect(stage.handOver('a').take()).toEqual(['finish b: ended', 'cancel a on one: superseded', 'continue a on two'])
  })

  it('[S63] keeps a whole reply that would have to start over, and one of a disabled model', () => {
    const other = begin(3, { rerunnable: true }).up('two', file('f2'))
    expect(other.handOver('a').take()).toEqual([])
    const closed = begin().up('two', file())
    closed.core.modelClosed('acme', 'small', closed.now)
    expect(closed.handOver('a').take()).toEqual([])
  })

  it('[S63] never gets the job back while it still announces its models', () => {
    const stage = new Stage()
      .up('one', file('f1', { slots: 2 }))
      .submit('a')
      .accept('a')
    stage.deliver('a')
    stage.take()
    expect(stage.handOver('a').take()).toEqual([])
    expect(stage.up('two', file()).handOver('a').take()).toEqual(['cancel a on one: superseded', 'continue a on two'])
  })

  it('[S63] does not pass a job on forever, nor ends it that way', () => {
    const stage = begin(0).up('two', file()).handOver('a').accept('a')
    stage.up('three', file()).handOver('a').accept('a')
    stage.up('four', file()).take()
    expect(stage.handOver('a').take()).toEqual([])
    expect(stage.end('a').take()).toEqual(['finish a: ended'])
  })

  it('[S63] does nothing for an offer that the device has not accepted', () => {
    const stage = new Stage().up('one', file()).submit('a').up('two', file())
    stage.take()
    expect(stage.handOver('a').take()).toEqual([])
  })
})
