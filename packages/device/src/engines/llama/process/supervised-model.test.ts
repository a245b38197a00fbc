import type { ChatEvent } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { EngineChange } from '../../engine.ts'
import { SupervisedModel } from './supervised-model.ts'
import { createFakeHost, type FakeHost } from '../testing/fake-host.ts'
import { greedy } from '../testing/tiny-engine.ts'

async function open(restartMs: readonly number[], onRun?: (host: FakeHost, run: number) => boolean) {
  const hosts: FakeHost[] = []
  const changes: EngineChange[] = []
  let wake = () => undefined as void
  const model = new SupervisedModel({
    load: { model: { name: 'fake', path: 'fake.gguf' } },
    restartMs,
    fork: () => {
      const host = createFakeHost(onRun)
      hosts.push(host)
      return host.asChild()
    },
    onChange: (change) => {
      changes.push(change)
      wake()
    },
  })
  await model.start(AbortSignal.timeout(60_000))
  const told = async (type: EngineChange['type'], count = 1) => {
    while (changes.filter((change) => change.type === type).length < count)
      await new Promise<void>((resolve) => (wake = resolve))
  }
  return { model, hosts, changes, told }
}

async function ask(model: SupervisedModel, question: string): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of model.run(greedy(question), AbortSignal.timeout(60_000), () => undefined))
    events.push(event)
  return events
}

const dies = (host: FakeHost) => {
  host.exit(null, 'SIGSEGV')
  return true
}

describe('SupervisedModel', () => {
  it('[W36] starts a dead process again, after the pause it told', async () => {
    const { model, hosts, changes, told } = await open([1, 1])
    hosts[0]!.exit(null, 'SIGSEGV')
    await told('engine-restarted')
    expect(changes).toEqual([
      { type: 'engine-crashed', model: 'fake', message: 'the engine stopped unexpectedly: SIGSEGV', restartInMs: 1 },
      { type: 'engine-restarted', model: 'fake' },
    ])
    expect(await ask(model, 'Hello')).toHaveLength(2)
    await model.stop()
  })

  it('[W37] gives up after dying again and again', async () => {
    const { model, hosts, changes, told } = await open([1, 1])
    for (let time = 1; time <= 2; time++) {
      hosts.at(-1)!.exit(1, null)
      await told('engine-restarted', time)
    }
    hosts.at(-1)!.exit(1, null)
    await told('engine-gave-up')
    expect(changes.at(-1)).toMatchObject({ message: 'the engine stopped unexpectedly: exit code 1' })
    expect(model.model).toBeUndefined()
    await expect(ask(model, 'Hello')).rejects.toMatchObject({ retryable: true })
    await model.stop()
  })

  it('[W37] refuses a job it died on three times, and only that', async () => {
    const { model, told } = await open([1, 1, 1, 1], (host) => (isDeadly ? dies(host) : false))
    let isDeadly = true
    for (let time = 1; time <= 3; time++) {
      await expect(ask(model, 'poison')).rejects.toMatchObject({ crashed: true, retryable: true })
      await told('engine-restarted', time)
    }
    isDeadly = false
    await expect(ask(model, 'poison')).rejects.toMatchObject({ crashed: true, retryable: false })
    expect(await ask(model, 'Hello')).toHaveLength(2)
    await model.stop()
  })

  it('[W36] fails every job of a process that died, and none of the next', async () => {
    const { model, hosts, told } = await open([1], () => hosts.length === 1)
    const asked = [ask(model, 'one'), ask(model, 'two')]
    const settled = Promise.allSettled(asked)
    await new Promise((resolve) => setImmediate(resolve))
    hosts[0]!.exit(null, 'SIGKILL')
    for (const result of await settled) expect(result).toMatchObject({ status: 'rejected', reason: { crashed: true } })
    await told('engine-restarted')
    expect(await ask(model, 'three')).toHaveLength(2)
    await model.stop()
  })

  it('[W32] cancels the job of a reader who leaves, and waits until it is gone', async () => {
    const { model, hosts } = await open([], (host, run) => {
      host.say({ type: 'outputs', outputs: [{ run, type: 'event', event: { type: 'text', choice: 0, text: 'a' } }] })
      return true
    })
    const [host] = hosts as [FakeHost]
    const stream = model.run(greedy('Hello'), AbortSignal.timeout(60_000), () => undefined)
    await stream.next()
    let isBack = false
    const leaving = stream.return(undefined).then(() => (isBack = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(host.received.at(-1)).toEqual({ type: 'cancel', run: 0 })
    expect(isBack).toBe(false)
    host.say({ type: 'outputs', outputs: [{ run: 0, type: 'end' }] })
    await leaving
    await model.stop()
  })

  it('[W33] asks the process to pause when nobody reads, and to go on when somebody does', async () => {
    const { model, hosts } = await open([], (host, run) => {
      const event = { run, type: 'event' as const, event: { type: 'text' as const, choice: 0, text: 'a' } }
      host.say({ type: 'outputs', outputs: Array.from({ length: 80 }, () => event) })
      return true
    })
    const [host] = hosts as [FakeHost]
    const stream = model.run(greedy('Hello'), AbortSignal.timeout(60_000), () => undefined)
    await stream.next()
    expect(host.received.at(-1)).toEqual({ type: 'pause', run: 0, isPaused: true })
    for (let count = 1; count < 80; count++) await stream.next()
    expect(host.received.at(-1)).toEqual({ type: 'pause', run: 0, isPaused: false })
    host.say({ type: 'outputs', outputs: [{ run: 0, type: 'end' }] })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    await model.stop()
  })

  it('[W38] passes on why loading failed, and lets the process go', async () => {
    const host = createFakeHost()
    host.send = (message) => {
      const error = { code: 'failed', message: 'no room', retryable: false } as const
      setImmediate(() => (message.type === 'stop' ? host.exit(0, null) : host.say({ type: 'load-failed', error })))
      return true
    }
    const model = new SupervisedModel({
      load: { model: { name: 'fake', path: 'fake.gguf' } },
      fork: () => host.asChild(),
      onChange: () => undefined,
    })
    await expect(model.start(AbortSignal.timeout(60_000))).rejects.toThrow('no room')
    expect(host.connected).toBe(false)
  })
})
