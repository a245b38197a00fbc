import { describe, expect, it, onTestFinished } from 'vitest'
import type { DeviceFrame, Feature, Machine } from '@hearth/protocol'
import { CLOSE } from '@hearth/protocol'
import { Device } from './device.ts'
import type { DeviceNews } from './news.ts'
import { createEchoEngine, ECHO_MODEL, untilAborted, type EchoOptions } from './testing/echo-engine.ts'
import { createFakeGateway, jobStart } from './testing/fake-gateway.ts'
import { createManualClock, settle } from './testing/manual-clock.ts'
import { holdAt } from './testing/runner-bench.ts'
import { describeNews } from './terminal/describe-news.ts'

async function begin(
  parts: EchoOptions & {
    withoutFeatures?: Feature[]
    restartEngine?: (model: string) => Promise<void>
    machine?: Machine
    takesTemplates?: () => boolean
  } = {},
) {
  const gateway = createFakeGateway()
  const clock = createManualClock()
  const engine = createEchoEngine(parts)
  const news: DeviceNews[] = []
  const login = { gateway: new URL('https://hearth.example.com'), credential: 'secret', organization: 'organization-1' }
  const { withoutFeatures = [], machine = {}, restartEngine = () => Promise.resolve() } = parts
  const { takesTemplates = () => true } = parts
  const device = new Device({
    identity: () => ({ ...login }),
    engine,
    offer: engine,
    restartEngine,
    withoutFeatures,
    takesTemplates,
    machine: () => machine,
    onNews: (item) => news.push(item),
    dial: gateway.dial,
    clock,
    random: () => 0.5,
  })
  onTestFinished(() => device.stop())
  await settle()
  await gateway.last.welcome()
  const start = (job: string, content = 'one two') => jobStart(job, content)
  return { gateway, clock, engine, news, device, login, start }
}

const said = (frames: readonly DeviceFrame[], type: DeviceFrame['type']) =>
  frames.filter((frame) => frame.type === type)

describe('a device', () => {
  it('announces its models, their features and its machine', async () => {
    const machine = { model: 'ThinkPad X1', memoryBytes: 16 }
    const { gateway, device } = await begin({ machine })
    expect(gateway.last.frames[0]).toMatchObject({
      type: 'hello',
      protocols: [1],
      app: expect.stringMatching(/^\d/),
      engine: 'echo',
      models: [ECHO_MODEL],
      machine,
    })
    expect(gateway.last.request.credential).toBe('secret')
    expect(device.link).toMatchObject({ name: 'linked', device: 'device-1' })
  })

  it('does not announce features that are turned off, and refuses jobs that need them', async () => {
    const { gateway, device, start } = await begin({ withoutFeatures: ['logprobs', 'n'] })
    expect(device.models()[0]!.features).toEqual(['usage', 'json_object'])
    const frame = start('j')
    if (frame.type === 'job-start') frame.request = { ...frame.request!, n: 2 }
    await gateway.last.say(frame)
    expect(gateway.last.frames.at(-1)).toMatchObject({ type: 'job-refuse', reason: 'unsupported' })
  })

  it('leaves out a chat template that its owner doesn’t allow, and keeps the other defaults', async () => {
    const defaults = { temperature: 0.5, chatTemplate: '{{ messages }}' }
    for (const takesTemplates of [true, false]) {
      const { gateway, device } = await begin({ takesTemplates: () => takesTemplates })
      await gateway.last.say({ type: 'defaults', model: 'echo', defaults })
      expect(device.defaultsOf('echo')).toEqual(takesTemplates ? defaults : { temperature: 0.5 })
    }
  })

  it('[E60] runs jobs with the latest defaults of their model, and forgets them with the link', async () => {
    const { gateway, engine, device, clock, start } = await begin()
    const temperatures: unknown[] = []
    const run = engine.run.bind(engine)
    engine.run = (job, signal, report) => {
      temperatures.push(job.temperature)
      return run(job, signal, report)
    }
    await gateway.last.say({ type: 'defaults', model: 'other', defaults: { temperature: 2 } })
    await gateway.last.say(start('a'))
    for (const temperature of [0.2, 0.7]) {
      await gateway.last.say({ type: 'defaults', model: 'echo', defaults: { temperature } })
      await gateway.last.say(start(`with ${temperature}`))
    }
    expect(device.defaultsOf('echo')).toEqual({ temperature: 0.7 })
    await gateway.last.close(1006)
    await clock.advance(1_000)
    await gateway.last.welcome()
    expect(device.defaultsOf('echo')).toBeUndefined()
    await gateway.last.say(start('z'))
    expect(temperatures).toEqual([undefined, 0.2, 0.7, undefined])
  })

  it('announces nothing while the owner does not allow it, finishes running jobs, and comes back', async () => {
    const { before, release } = holdAt(1)
    const { gateway, device, start, clock } = await begin({ before })
    await gateway.last.say(start('running'))
    device.allow(false)
    await settle()
    expect(gateway.last.frames.at(-1)).toEqual({ type: 'models', models: [] })
    await gateway.last.say(start('rejected'))
    expect(gateway.last.frames.at(-1)).toMatchObject({ type: 'job-refuse', reason: 'draining' })
    release()
    await clock.advance(20)
    expect(said(gateway.last.frames, 'job-end')).toHaveLength(1)
    device.allow(true)
    await settle()
    expect(gateway.last.frames.at(-1)).toEqual({ type: 'models', models: [ECHO_MODEL] })
  })

  it('asks the gateway every second to hand its jobs over, and finishes those that stay', async () => {
    const { before, release } = holdAt(1)
    const { gateway, device, start, clock, news } = await begin({ before })
    for (const job of ['taken', 'kept']) await gateway.last.say(start(job))
    device.allow(false)
    const done = device.handOver(120_000)
    await clock.advance(1_500)
    const asked = said(gateway.last.frames, 'job-hand-over').map((frame) => 'job' in frame && frame.job)
    expect(asked).toEqual(['taken', 'kept', 'taken', 'kept'])
    await gateway.last.say({ type: 'job-cancel', job: 'taken', attempt: 0, reason: 'superseded' })
    expect(said(gateway.last.frames, 'job-cancelled')).toMatchObject([{ job: 'taken' }])
    release()
    await clock.advance(100)
    await done
    expect(said(gateway.last.frames, 'job-end')).toMatchObject([{ job: 'kept' }])
    expect(device.jobs).toMatchObject({ running: 0, answered: 1, stopped: 0, handedOver: 1 })
    expect(news).toContainEqual({ type: 'handing-over', jobs: 2, waitMs: 120_000 })
    expect(news).toContainEqual({ type: 'handed-over', handedOver: 1, returned: 0, ended: 1 })
  })

  it.each(['handOver', 'leave'] as const)(
    'returns jobs that nobody took and that are not done in time: %s',
    async (end) => {
      const { gateway, device, start, clock, news } = await begin({ before: untilAborted })
      const { frames } = gateway.last
      await gateway.last.say(start('slow'))
      const done = device[end](2_000)
      await clock.advance(2_000)
      await done
      expect(said(frames, 'job-error')).toMatchObject([{ job: 'slow', retryable: true }])
      expect(news).toContainEqual({ type: 'handed-over', handedOver: 0, returned: 1, ended: 0 })
    },
  )

  it('keeps its jobs if it may serve again', async () => {
    const { gateway, device, start, clock } = await begin({ before: untilAborted })
    await gateway.last.say(start('slow'))
    device.allow(false)
    const done = device.handOver(2_000)
    device.allow(true)
    await done
    await clock.advance(3_000)
    expect(said(gateway.last.frames, 'job-hand-over')).toHaveLength(1)
    expect(device.jobs.running).toBe(1)
  })

  it('stops its jobs when the connection breaks, reconnects and serves again', async () => {
    const { gateway, device, engine, clock, start } = await begin({ before: holdAt(1).before })
    await gateway.last.say(start('lost'))
    expect(engine.running).toBe(1)
    await gateway.last.close(1006)
    expect(engine.running).toBe(0)
    expect(device.jobs).toMatchObject({ running: 0, stopped: 1 })
    await clock.advance(1_000)
    await gateway.last.welcome()
    expect(gateway.links).toHaveLength(2)
    await gateway.last.say(start('next', 'word'))
    expect(said(gateway.last.frames, 'job-end')).toHaveLength(1)
    expect(JSON.stringify(gateway.last.frames)).not.toContain('lost')
  })

  it('leaves after its running jobs are handed over or done, and accepts no more', async () => {
    const { before, release } = holdAt(1)
    const { gateway, device, start, clock } = await begin({ before })
    const link = gateway.last
    await link.say(start('running'))
    const left = device.leave(60_000)
    await clock.advance(1_000)
    expect(said(link.frames, 'drain')).toHaveLength(1)
    expect(said(link.frames, 'job-hand-over')).toHaveLength(2)
    await link.say(start('rejected'))
    expect(said(link.frames, 'job-refuse')).toHaveLength(1)
    expect(link.closed).toEqual([])
    release()
    await clock.advance(100)
    await left
    expect(said(link.frames, 'job-end')).toHaveLength(1)
    expect(link.closed).toEqual([CLOSE.normal])
  })

  it('[A15h] writes into its log which request it answered, as the client calls it', async () => {
    const { gateway, start, news } = await begin()
    const client = { requestId: 'order-17', traceparent: `00-${'4b'.repeat(16)}-${'1'.repeat(16)}-01` }
    await gateway.last.say({ ...start('named'), client })
    await gateway.last.say(start('plain'))
    const ended = news.flatMap((each) => (each.type === 'job-ended' ? [each] : []))
    expect(ended.map(({ job }) => [job.request, job.trace])).toEqual([
      ['order-17', '4b'.repeat(16)],
      ['plain', undefined],
    ])
    expect(describeNews(ended[0]!)?.text).toMatch(/^echo: answered order-17 in \d+\.\d s \(trace (4b){16}\)$/)
  })

  it('switches to a new login once its jobs are done', async () => {
    const { before, release } = holdAt(1)
    const { gateway, device, login, clock, start } = await begin({ before })
    device.redial()
    await clock.advance(2_000)
    expect(gateway.links).toHaveLength(1)
    await gateway.last.say(start('running'))
    login.credential = 'new'
    device.redial()
    await clock.advance(2_000)
    expect(gateway.links).toHaveLength(1)
    release()
    await clock.advance(2_000)
    expect(said(gateway.links[0]!.frames, 'job-end')).toHaveLength(1)
    expect(gateway.links[0]!.closed).toEqual([CLOSE.normal])
    expect(gateway.last.request.credential).toBe('new')
  })
})
