import { describe, expect, it } from 'vitest'
import type { Reporter } from '../../terms/job.ts'
import { Stage } from './stage.ts'

const failure = { retryable: true, crashed: false, error: { code: 'failed', message: '' } }

describe('a client that leaves', () => {
  it('[S31] ends its waiting job', () => {
    const stage = new Stage().submit('a').cancel('a')
    expect(stage.take()).toEqual(['finish a: cancelled'])
    expect(stage.up('laptop').take()).toEqual([])
  })

  it('[S31] [H83a] ends its running job at once, and gives the device the reason', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a')
    stage.take()
    expect(stage.cancel('a', 'client-stalled').take()).toEqual([
      'cancel a on laptop: client-stalled',
      'finish a: cancelled',
    ])
    expect(stage.cancel('a').take()).toEqual([])
    expect(stage.holds('a')).toBe(false)
  })

  it.each<[string, (stage: Stage, reporter: Reporter) => void]>([
    ['confirms', (stage, reporter) => stage.confirm(reporter)],
    ['ends it', (stage, reporter) => stage.core.ended(reporter, undefined, stage.now)],
    ['fails it', (stage, reporter) => stage.core.failed(reporter, failure, stage.now)],
    ['loses its link', (stage) => stage.down('laptop').up('laptop', { epoch: 2 })],
  ])('[S31] leaves the slot taken until the device %s', (_, speak) => {
    const stage = new Stage().up('laptop').submit('a').accept('a').submit('b').cancel('a')
    const reporter = stage.reporter('a')
    stage.take()
    expect(stage.pass(1_000).take()).toEqual([])
    speak(stage, reporter)
    expect(stage.take()).toEqual(['offer b to laptop'])
  })

  it('does nothing for a job that does not exist', () => {
    expect(new Stage().cancel('nobody').take()).toEqual([])
  })

  it('[S31] makes the slot suspect when the device does not confirm, and does not give it out', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').cancel('a').submit('b')
    const reporter = stage.reporter('a')
    stage.take()
    stage.pass(4_999)
    expect(stage.core.stats(stage.now).suspect).toBe(0)
    stage.pass(1)
    expect(stage.core.stats(stage.now)).toMatchObject({ suspect: 1, leases: 1 })
    expect(stage.pass(60_000).take()).toEqual([])
    expect(stage.confirm(reporter).take()).toEqual(['offer b to laptop'])
    expect(stage.core.stats(stage.now)).toMatchObject({ suspect: 0, leases: 1 })
  })

  it('[S31] frees the slot once, however often the device confirms', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').cancel('a')
    const reporter = stage.reporter('a')
    for (const job of ['b', 'c']) stage.submit(job)
    stage.take()
    expect(stage.confirm(reporter).confirm(reporter).take()).toEqual(['offer b to laptop'])
  })
})

describe('administrators', () => {
  it('[H80] [H80a] end jobs that wait for a disabled model and let running ones finish', () => {
    const stage = new Stage().up('laptop').submit('running').accept('running').submit('waiting')
    stage.submit('other', { model: 'large' }).submit('stranger', { organization: 'other' }).take()
    stage.core.modelClosed('acme', 'small', stage.now)
    expect(stage.take()).toEqual(['finish waiting: model-disabled'])
    expect(stage.deliver('running').end('running').take()).toEqual(['finish running: ended'])
  })

  it.each<[string, (stage: Stage) => void]>([
    ['is lost', (stage) => stage.down('laptop')],
    ['is refused', (stage) => stage.refuse('a')],
  ])('[H80a] keep a job of a disabled model from running again when it %s', (_, lose) => {
    const stage = new Stage().up('laptop').up('spare').submit('a')
    stage.core.modelClosed('acme', 'small', stage.now)
    stage.take()
    lose(stage)
    expect(stage.take()).toEqual(['finish a: model-disabled'])
  })
})
