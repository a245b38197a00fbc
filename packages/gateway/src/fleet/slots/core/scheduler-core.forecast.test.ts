import { describe, expect, it } from 'vitest'
import { model, Stage } from './stage.ts'

/** A stage whose one device answers in ten tokens, one every 100 ms, after 200 ms of reading. */
function measured(slots = 1): Stage {
  const stage = new Stage().up('d', { slots })
  for (let count = 0; count < 5; count++) answer(stage, `warm-${count}`)
  return stage
}

function answer(stage: Stage, job: string, key = 'k'): void {
  stage.submit(job, { key }).accept(job).pass(200)
  for (let tokens = 1; tokens <= 10; tokens++) stage.deliver(job, tokens).pass(100)
  stage.end(job)
}

describe('the forecast for a job', () => {
  it('says how long the device will read', () => {
    const stage = measured().submit('a')
    expect(stage.forecast('a')).toMatchObject({ place: undefined })
    expect(stage.forecast('a')!.firstEventMs).toBeCloseTo(200)
    stage.accept('a').pass(150)
    expect(stage.forecast('a')!.firstEventMs).toBeCloseTo(50)
  })

  it('adds up the answers before it', () => {
    const stage = measured().submit('a').accept('a').submit('b').submit('c')
    expect(stage.forecast('b')).toMatchObject({ place: 1 })
    expect(stage.forecast('b')!.firstEventMs).toBeCloseTo(1_400)
    expect(stage.forecast('c')).toMatchObject({ place: 2 })
    expect(stage.forecast('c')!.firstEventMs).toBeCloseTo(2_600)
  })

  it('counts what a running answer already has', () => {
    const stage = measured().submit('a').accept('a').submit('b').pass(200)
    stage.deliver('a', 6).pass(1_000)
    expect(stage.forecast('b')!.firstEventMs).toBeCloseTo(600)
  })

  it('ends with the first event', () => {
    const stage = measured().submit('a').accept('a')
    stage.deliver('a')
    expect(stage.forecast('a')).toBeUndefined()
    expect(stage.forecast('unknown')).toBeUndefined()
  })

  it('expects no answer longer than the client allows', () => {
    const stage = measured().submit('a', { answerLimit: 1 }).accept('a').submit('b')
    expect(stage.forecast('b')!.firstEventMs).toBeCloseTo(500)
  })

  it('knows the place that the fair queue gives it', () => {
    const stage = measured().submit('running').submit('a1').submit('a2').submit('b1', { key: 'other' })
    const places = ['a1', 'a2', 'b1'].map((job) => stage.forecast(job)!.place)
    expect(places).toEqual([2, 3, 1])
  })

  it('counts the jobs that keys with a smaller share will send before', () => {
    const waits = (isBusy: boolean) => {
      const stage = measured()
      for (let count = 0; count < 20; count++) {
        answer(stage, `other-${count}`, 'other')
        if (!isBusy) stage.pass(600_000)
      }
      stage.submit('running')
      for (let count = 0; count < 40; count++) stage.submit(`batch-${count}`)
      return stage.forecast('batch-39')!.firstEventMs!
    }
    expect(waits(true)).toBeGreaterThan(1.3 * waits(false))
  })

  it('says nothing about a wait for answers of which none was seen', () => {
    const stage = new Stage().up('d').submit('a').submit('b')
    expect(stage.forecast('b')).toEqual({ place: 1, firstEventMs: undefined })
    expect(new Stage().submit('a').forecast('a')).toEqual({ place: 1, firstEventMs: undefined })
  })

  it('counts loading, as long as it took the last time', () => {
    const loadable = { models: [{ ...model('small'), state: 'loadable' as const, loadMs: 3_000 }] }
    const stage = new Stage().up('d', loadable).submit('a').accept('a').loading('a')
    expect(stage.forecast('a')!.firstEventMs).toBeGreaterThan(3_000)
    stage.pass(8_000).progress('a').pass(200)
    stage.deliver('a')
    stage.end('a')
    stage.submit('b').accept('b').loading('b')
    expect(stage.forecast('b')!.firstEventMs).toBeCloseTo(8_200)
  })
})

describe('a job that is turned away', () => {
  it('[H82k] learns when half of the jobs before it should have started', () => {
    const stage = new Stage({ queuePerKey: 3 }).up('d')
    for (let count = 0; count < 5; count++) answer(stage, `warm-${count}`)
    stage.submit('running').accept('running')
    for (const job of ['a', 'b', 'c']) stage.submit(job)
    stage.core.effects.length = 0
    stage.submit('d')
    const { outcome } = stage.core.effects[0] as { outcome?: unknown }
    expect(outcome).toMatchObject({ kind: 'queue-full', scope: 'key' })
    expect((outcome as { retryMs: number }).retryMs).toBeCloseTo(1_400 + 2 * 1_200)
  })

  it('waits its full time, even if it is expected to get no device by then', () => {
    const stage = new Stage({ waitMs: 2_000 }).up('d')
    for (let count = 0; count < 5; count++) answer(stage, `warm-${count}`)
    stage.submit('running').accept('running')
    for (const job of ['a', 'b', 'c']) stage.submit(job)
    expect(stage.forecast('c')!.firstEventMs).toBeGreaterThan(2_000)
    stage.take()
    expect(stage.pass(1_999).take()).toEqual([])
    expect(stage.pass(1).take()).toContain('finish c: no-device')
  })
})
