import type { DeviceModel, ModelPresence } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { Stage, model } from './stage.ts'

const small = (state: ModelPresence, fields: Partial<DeviceModel> = {}) => ({
  models: [{ ...model('small'), state, ...fields }],
})

describe('a model that is not in memory everywhere', () => {
  it('is used where it is loaded, however fast the others are', () => {
    const stage = new Stage()
      .up('fresh', small('loadable', { loadMs: 1 }))
      .up('ready', small('loaded'))
      .submit('a')
    expect(stage.take()).toEqual(['offer a to ready'])
  })

  it('is used on a device that does not say, as on one that has it loaded', () => {
    const stage = new Stage().up('fresh', small('loadable')).up('older').submit('a')
    expect(stage.take()).toEqual(['offer a to older'])
  })

  it('is loaded at once if no device has it, where that takes the least time', () => {
    const stage = new Stage()
      .up('slow', small('loadable', { loadMs: 9_000 }))
      .up('quick', small('loadable', { loadMs: 2_000 }))
      .submit('a')
    expect(stage.take()).toEqual(['offer a to quick'])
  })

  it('is not loaded by another device while a busy one has it, for five seconds', () => {
    const stage = new Stage().up('ready', small('loaded')).up('fresh', small('loadable')).submit('a').accept('a')
    stage.submit('b').take()
    expect(stage.pass(4_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['offer b to fresh'])
  })

  it('goes to the busy device if that is free before', () => {
    const stage = new Stage().up('ready', small('loaded')).up('fresh', small('loadable')).submit('a').accept('a')
    stage.submit('b').pass(3_000).take()
    stage.end('a')
    expect(stage.take()).toEqual(['finish a: ended', 'offer b to ready'])
  })

  it('is not loaded twice for jobs that come together', () => {
    const stage = new Stage().up('one', small('loadable', { slots: 2 })).up('two', small('loadable', { slots: 2 }))
    for (const job of ['a', 'b', 'c']) stage.submit(job)
    expect(stage.take()).toEqual(['offer a to one', 'offer b to one'])
  })

  it('does not wait for a busy device that can not do the job', () => {
    const stage = new Stage()
      .up('ready', small('loaded'))
      .up('able', small('loadable', { features: ['tools'] }))
      .submit('a', { features: ['tools'] })
    expect(stage.take()).toEqual(['offer a to able'])
  })

  it('is not loaded for a second offer', () => {
    const stage = new Stage().up('late', small('loaded')).up('fresh', small('loadable')).submit('a')
    stage.take()
    expect(stage.pass(9_000).take()).toEqual([])
    expect(stage.up('ready', small('loaded')).take()).toEqual(['offer a to ready'])
  })
})

describe('loading', () => {
  it('is no silence: a device that loads is not given up before the waiting time is over', () => {
    const stage = new Stage().up('laptop', small('loadable')).submit('a').accept('a')
    for (let second = 0; second < 118; second += 2) stage.pass(2_000).loading('a')
    expect(stage.take()).toEqual(['offer a to laptop'])
    stage.pass(1_000).progress('a', 12)
    for (let minute = 0; minute < 5; minute++) stage.pass(60_000).progress('a')
    expect(stage.holds('a')).toBe(true)
  })

  it('[H82] counts as waiting: the job ends with "no device" if the model is not there in time', () => {
    const stage = new Stage().pass(1_000).submit('a').pass(40_000).up('laptop', small('loadable')).accept('a')
    for (let second = 0; second < 78; second += 2) stage.pass(2_000).loading('a')
    stage.take()
    expect(stage.pass(2_000).take()).toEqual(['cancel a on laptop: timed-out', 'finish a: no-device'])
  })

  it('[H82] ends the same way when the device falls silent', () => {
    const stage = new Stage().up('laptop', small('loadable')).submit('a').accept('a').loading('a')
    stage.take()
    expect(stage.pass(120_000).take()).toEqual(['cancel a on laptop: timed-out', 'finish a: no-device'])
  })

  it('does not make the device look slow', () => {
    const stage = new Stage().up('laptop', small('loadable')).submit('a').accept('a').loading('a').pass(30_000)
    stage.progress('a').deliver('a').end('a')
    const [served] = stage.core.stats(stage.now).served
    expect(served!.msPerCharacter).toBeLessThan(1)
  })

  it('that fails uses up no attempt: the job waits for another device, or for this one', () => {
    const stage = new Stage().up('laptop', small('loadable')).submit('a')
    for (let time = 0; time < 5; time++) stage.accept('a').loading('a').fail('a').pass(8_000)
    expect(stage.take()).toEqual(Array.from({ length: 6 }, () => 'offer a to laptop'))
    stage.accept('a').loading('a').fail('a').up('desktop', small('loadable'))
    expect(stage.take()).toEqual(['offer a to desktop'])
  })

  it('that fails on every device ends with "no device" once the waiting time is over', () => {
    const stage = new Stage().up('laptop', small('loadable')).submit('a').accept('a').loading('a').fail('a')
    stage.up('laptop', { epoch: 2, models: [] }).take()
    expect(stage.pass(120_000).take()).toEqual(['finish a: no-device'])
  })

  it('that crashes the engine counts as a crash', () => {
    const stage = new Stage().up('laptop', small('loadable')).submit('a')
    for (let time = 0; time < 2; time++) stage.accept('a').loading('a').fail('a', { crashed: true })
    expect(stage.take().at(-1)).toBe('finish a: crashed')
  })
})
