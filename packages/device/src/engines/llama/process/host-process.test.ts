import type { ChatEvent } from '@hearth/protocol'
import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { withLifeline } from '../../../watch/lifeline.ts'
import type { Engine } from '../../engine.ts'
import { createLlamaEngine } from '../llama-engine.ts'
import { createFakeHost, type FakeHost } from '../testing/fake-host.ts'
import { greedy } from '../testing/tiny-engine.ts'

const options = { name: 'fake', path: 'fake.gguf' }
const fake = (question: string) => greedy(question, { model: 'fake' })

async function open(onRun?: (host: FakeHost, run: number) => boolean) {
  const host = createFakeHost(onRun)
  const engine = createLlamaEngine(options, () => host.asChild())
  await engine.start(AbortSignal.timeout(240_000))
  return { engine, host }
}

async function ask(engine: Engine, question: string): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of engine.run(fake(question), AbortSignal.timeout(240_000), () => undefined))
    events.push(event)
  return events
}

function begin(engine: Engine) {
  return engine.run(fake('Hello'), AbortSignal.timeout(240_000), () => undefined)[Symbol.asyncIterator]()
}

describe('a llama engine and its process', () => {
  it('fails every job of a process that died, serves nothing more, and reports its end', async () => {
    const { engine, host } = await open(() => true)
    const settled = Promise.allSettled([ask(engine, 'one'), ask(engine, 'two')])
    await new Promise((resolve) => setImmediate(resolve))
    host.exit(null, 'SIGSEGV')
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: { crashed: true, retryable: true } })
    expect(await engine.ended).toEqual({
      why: 'the engine stopped unexpectedly: SIGSEGV',
      cause: 'crash',
      fault: { how: 'SIGSEGV', isCertain: false },
      jobs: [fake('one'), fake('two')],
    })
    expect(engine.models()).toEqual([])
    await expect(ask(engine, 'three')).rejects.toMatchObject({ crashed: false, retryable: true })
  })

  it('blames neither its jobs nor the back end when somebody else ends the process', async () => {
    const { engine, host } = await open(() => true)
    const asked = ask(engine, 'one')
    await new Promise((resolve) => setImmediate(resolve))
    host.exit(null, 'SIGKILL')
    await expect(asked).rejects.toMatchObject({ crashed: false, retryable: true, fault: undefined })
    expect(await engine.ended).toEqual({
      why: 'the engine was ended from outside: SIGKILL',
      cause: 'killed',
      jobs: [fake('one')],
    })
  })

  it('tells a lack of memory from other crashes', async () => {
    const { engine, host } = await open()
    host.fail('CUDA error: out of memory')
    host.exit(null, 'SIGABRT')
    expect(await engine.ended).toMatchObject({
      cause: 'memory',
      why: expect.stringContaining('out of memory') as string,
    })
  })

  it('reports no end when it is stopped', async () => {
    const { engine } = await open()
    await engine.stop()
    expect(await Promise.race([engine.ended, Promise.resolve('no end')])).toBe('no end')
  })

  it('cancels the job of a reader that leaves, and waits until it is gone', async () => {
    const { engine, host } = await open((host, run) => {
      host.say({ type: 'outputs', outputs: [{ run, type: 'event', event: { type: 'text', choice: 0, text: 'a' } }] })
      return true
    })
    const stream = begin(engine)
    await stream.next()
    let isBack = false
    const leaving = stream.return!(undefined).then(() => (isBack = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(host.received.at(-1)).toEqual({ type: 'cancel', run: 0 })
    expect(isBack).toBe(false)
    host.say({ type: 'outputs', outputs: [{ run: 0, type: 'end' }] })
    await leaving
    await engine.stop()
  })

  it('tells the process to pause while nobody reads, and to resume when somebody does', async () => {
    const { engine, host } = await open((host, run) => {
      const event = { run, type: 'event' as const, event: { type: 'text' as const, choice: 0, text: 'a' } }
      host.say({ type: 'outputs', outputs: Array.from({ length: 80 }, () => event) })
      return true
    })
    const stream = begin(engine)
    await stream.next()
    expect(host.received.at(-1)).toEqual({ type: 'pause', run: 0, isPaused: true })
    for (let count = 1; count < 80; count++) await stream.next()
    expect(host.received.at(-1)).toEqual({ type: 'pause', run: 0, isPaused: false })
    host.say({ type: 'outputs', outputs: [{ run: 0, type: 'end' }] })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    await engine.stop()
  })

  it('fails to start when the process dies while it loads', async () => {
    const host = createFakeHost()
    host.send = () => {
      setImmediate(() => host.exit(null, 'SIGSEGV'))
      return true
    }
    const engine = createLlamaEngine(options, () => host.asChild())
    await expect(engine.start(AbortSignal.timeout(240_000))).rejects.toThrow('The engine stopped unexpectedly: SIGSEGV')
  })

  it('says so if its process ended because it took far more memory than planned', async () => {
    const path = join(scratchFolder(), 'host.mjs')
    const model = JSON.stringify({ name: 'fake', contextLength: 8, slots: 1, features: [] })
    writeFileSync(
      path,
      `import { watchSelf } from '${new URL('../../../watch/watch-self.ts', import.meta.url).href}'
      const watch = watchSelf(20)
      process.on('message', ({ type }) => {
        if (type === 'load') process.send({ type: 'loaded', model: ${model}, memory: { ram: 1, gpu: 0 } })
        if (type === 'run') watch.begin({ memoryBytes: 1 })
      })`,
    )
    const start = () => fork(path, [], { execArgv: [], stdio: [...withLifeline('ignore', 'pipe')] })
    const engine = createLlamaEngine(options, start)
    await engine.start(AbortSignal.timeout(240_000))
    await expect(ask(engine, 'grow')).rejects.toMatchObject({ crashed: true, retryable: true })
    expect((await engine.ended).why).toContain('out of memory: the model took far more than planned')
  })
})
