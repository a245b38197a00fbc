import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { DISABLED, FULL, LONELY, OTHERS, PAIR, REMOVED, startSystem, UNKNOWN } from '../harness/start-system.ts'

// The wait of 120 s is a setting: short here, so that the test reaches its end, and long enough for a busy machine to accept a job.
const WAIT_MS = 3_000
const system = await startSystem({ settings: { DEVICE_WAIT_MS: String(WAIT_MS) } })
const patient = await startSystem({
  devices: 'none',
  settings: { QUEUE_PER_KEY: '3' },
})
afterAll(async () => {
  await system[Symbol.asyncDispose]()
  await patient[Symbol.asyncDispose]()
})

const UNAVAILABLE = { status: 503, code: 'model_unavailable' }
const never = new Promise(() => {})

describe('state of a model', () => {
  it.each([UNKNOWN, OTHERS, FULL.toUpperCase()])('[H79] does not find %s', async (model) => {
    const error = expectError(await patient.chat({ model }), { status: 404, code: 'model_not_found', param: 'model' })
    expect(error.message).toContain(model)
  })

  it.each([DISABLED, REMOVED])('[H79a] says that %s is disabled', async (model) => {
    expectError(await patient.chat({ model }), { status: 403, code: 'model_disabled', param: 'model' })
    expectError(await patient.chat({ model, stream: true }), { status: 403, code: 'model_disabled', param: 'model' })
  })
})

describe('waiting for a device', () => {
  it('[H81a] [H81b] ends with a status after the waiting time, also while a device of another organization is there', async () => {
    await using foreign = await system.connectDevice({ organization: 'other', models: [LONELY, FULL] })
    for (const answer of await Promise.all([false, true].map((stream) => system.chat({ model: LONELY, stream })))) {
      expectError(answer, UNAVAILABLE)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(Number(answer.headers.get('x-hearth-queue-ms'))).toBeGreaterThanOrEqual(WAIT_MS)
      expect(answer.headers.get('x-hearth-attempts')).toBe('0')
      expect(answer.headers.has('x-hearth-device')).toBe(false)
    }
    expect(foreign.jobs).toHaveLength(0)
  })

  it('[H82] ends with a status if the model is not loaded by then', async () => {
    const plan = { progress: ['loading' as const], stall: { at: 0, until: never } }
    await using device = await system.connectDevice({ models: [{ name: LONELY, slots: 2 }], plan })
    for (const answer of await Promise.all([false, true].map((stream) => system.chat({ model: LONELY, stream })))) {
      expectError(answer, UNAVAILABLE)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(device.jobs).toHaveLength(2)
  })

  // First, because a sealed request needs a device that it can be sealed to.
  it('[H81] ends with a reply when a device begins to serve the model', async () => {
    await using device = await patient.connectDevice({ models: [] })
    const pending = patient.chat({ model: LONELY })
    await patient.queued(1)
    device.announce([LONELY])
    expectCompletion(await pending)
  })

  it.each([false, true])('[H81] ends with a reply when a device comes, stream %s', async (stream) => {
    const pending = patient.chat({ model: LONELY, stream })
    await patient.queued(1)
    await using device = await patient.connectDevice({ models: [LONELY] })
    const answer = await pending
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('t7')
    expect(device.jobs).toHaveLength(1)
  })

  it('[H82] [H82b] ends the same way if devices are busy, but not for a job that was accepted', async () => {
    const goOn = Promise.withResolvers<void>()
    await using device = await system.connectDevice({
      models: [{ name: PAIR, slots: 1 }],
      plan: { stall: { at: 0, until: goOn.promise } },
    })
    const running = system.chat({ model: PAIR })
    await device.until('the job was accepted', () => device.jobs[0]?.state === 'accepted')
    expectError(await system.chat({ model: PAIR }), UNAVAILABLE)
    goOn.resolve()
    expectCompletion(await running)
    expect(device.jobs).toHaveLength(1)
  })

  it('[H82a] rejects one too many at once', async () => {
    const goOn = Promise.withResolvers<void>()
    await using device = await patient.connectDevice({
      models: [{ name: LONELY, slots: 1 }],
      plan: { acceptAfter: goOn.promise },
    })
    const waiting = [patient.chat({ model: LONELY })]
    await device.job(0)
    for (let index = 0; index < 3; index += 1) waiting.push(patient.chat({ model: LONELY }))
    await patient.queued(3)
    const rejected = await patient.chat({ model: LONELY })
    expect(rejected.status).toBe(429)
    expect(rejected.json).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    goOn.resolve()
    for (const answer of await Promise.all(waiting)) expectCompletion(answer)
  })

  it.each([[{ n: 9 }], [{ temperature: 'x' }], [{ messages: [] }], [{ audio: {} }]])(
    '[H85] rejects %j at once',
    async (fields) => {
      expect((await patient.chat({ model: LONELY, ...fields })).status).toBe(400)
    },
  )
})

describe('clients that leave', () => {
  it('[H83] leave the queue', async () => {
    const leaving = new AbortController()
    const gone = patient.chat({ model: LONELY }, { signal: leaving.signal })
    await patient.queued(1)
    leaving.abort()
    await expect(gone).rejects.toThrow(/abort/i)
    await patient.queued(0)
    await using device = await patient.connectDevice({ models: [LONELY] })
    expectCompletion(await patient.chat({ model: LONELY }))
    expect(device.jobs).toHaveLength(1)
  })

  it.each([
    ['before the first token, whole', 0, false],
    ['before the first token, streamed', 0, true],
    ['in the middle, whole', 4, false],
    ['in the middle, streamed', 4, true],
  ])('[H83a] stop their device: %s', async (_, at, stream) => {
    await using device = await patient.connectDevice({
      models: [{ name: LONELY, slots: 1 }],
      plan: { stall: { at, until: never } },
    })
    const leaving = new AbortController()
    const gone = patient.chat({ model: LONELY, stream }, { signal: leaving.signal })
    const job = await device.job(0)
    await device.until('the device stalls', () => job.state === 'accepted' && job.sent === at)
    leaving.abort()
    await expect(gone).rejects.toThrow(/abort/i)
    await device.until('the job was cancelled', () => job.state === 'cancelled')
    expect(job.cancels).toStrictEqual(['client-gone'])
    device.plan = {}
    expectCompletion(await patient.chat({ model: LONELY }))
  })
})

describe('devices that go away', () => {
  const HOW = [
    ['on the offer', { crashAt: 'offer' }],
    ['after the accept', { crashAt: 'accept' }],
    ['before the first token', { progress: ['loading', 'prompt'], crashAt: 0 }],
    ['by a failure worth a retry', { failure: { retryable: true } }],
    ['by refusing', { refuse: 'busy' }],
  ] as const

  it.each(HOW.flatMap(([how, plan]) => [false, true].map((stream) => [how, stream, plan] as const)))(
    '[H84] are replaced unnoticed: %s, stream %s',
    async (_, stream, plan) => {
      let offers = 0
      const eachPlan = () => (offers++ === 0 ? plan : {})
      await using _first = await patient.connectDevice({ models: [LONELY], plan: eachPlan })
      await using _second = await patient.connectDevice({ models: [LONELY], plan: eachPlan })
      const answer = await patient.chat({ model: LONELY, stream })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('t7')
      expect(answer.text).not.toContain('error')
      expect(offers).toBeGreaterThanOrEqual(2)
    },
  )

  it.each([false, true])('[H84] lead to a 503 if none is left, stream %s', async (stream) => {
    await using device = await system.connectDevice({ models: [LONELY], plan: { crashAt: 'offer' } })
    const answer = await system.chat({ model: LONELY, stream })
    expectError(answer, UNAVAILABLE)
    expect(device.jobs).toHaveLength(1)
  })

  it('[H84] lead to an error if every attempt fails', async () => {
    await using device = await patient.connectDevice({
      models: [LONELY],
      plan: { failure: { retryable: true, crashed: true } },
    })
    expectError(await patient.chat({ model: LONELY }), { status: 500, code: 'server_error' })
    expect(device.jobs.length).toBeLessThanOrEqual(2)
  })
})
