import { describe, expect, it, onTestFinished } from 'vitest'
import { CLOSE } from '@hearth/protocol'
import { CommandError } from '@hearth/command-line/errors'
import { createFakeGateway, IDLE_USER } from '../testing/fake-gateway.ts'
import { createManualClock, settle } from '../testing/manual-clock.ts'
import { keepLinked, type LinkNews } from './keep-linked.ts'

function begin(identity?: () => never) {
  const gateway = createFakeGateway()
  const clock = createManualClock()
  const leaving = new AbortController()
  const hurry = { controller: new AbortController() }
  const news: LinkNews[] = []
  let credential = 'first'
  const options = {
    dial: gateway.dial,
    clock,
    user: IDLE_USER,
    identity: identity ?? (() => ({ gateway: new URL('https://hearth.example.com'), credential })),
    random: () => 0.5,
    onNews: (item: LinkNews) => news.push(item),
    hurry: () => hurry.controller.signal,
  }
  return {
    gateway,
    clock,
    leaving,
    hurry,
    news,
    setCredential: (next: string) => (credential = next),
    start: () => {
      const done = keepLinked(options, leaving.signal)
      onTestFinished(async () => {
        leaving.abort()
        await done
      })
      return done
    },
  }
}

describe('keepLinked', () => {
  it('keeps dialing until the gateway is back', async () => {
    const { gateway, clock, start } = begin()
    gateway.answers.push(...Array.from({ length: 6 }, () => ({ kind: 'failed', why: 'ECONNREFUSED' }) as const))
    void start()
    await clock.advance(31_000)
    expect(gateway.links).toHaveLength(1)
  })

  it('says to log in again if the credential is rejected, and uses a new one right away', async () => {
    const { gateway, clock, news, hurry, setCredential, start } = begin()
    gateway.answers.push({ kind: 'rejected', status: 401 })
    void start()
    await clock.advance(0)
    expect(news.at(-1)).toMatchObject({ name: 'waiting', advice: 'run hearth-device login', delayMs: 300_000 })
    await clock.advance(299_000)
    expect(gateway.links).toHaveLength(0)
    setCredential('second')
    hurry.controller.abort()
    await settle()
    expect(gateway.last.request.credential).toBe('second')
  })

  it('says how to give this machine its own login when another one uses the same', async () => {
    const { gateway, clock, news, start } = begin()
    void start()
    await clock.advance(0)
    await gateway.last.close(CLOSE.inUse)
    expect(news.at(-1)).toMatchObject({
      name: 'waiting',
      why: expect.stringContaining('another machine is connected with the login of this one') as string,
      advice: 'to give this machine its own login, run hearth-device login https://hearth.example.com',
    })
  })

  it('waits and tries again if there is no login', async () => {
    const { clock, news, start } = begin(() => {
      throw new CommandError('this machine is not logged in')
    })
    void start()
    await clock.advance(0)
    expect(news.at(-1)).toMatchObject({ name: 'waiting', why: 'this machine is not logged in' })
  })

  it('dials right away when the machine wakes up', async () => {
    const { gateway, clock, start } = begin()
    gateway.answers.push({ kind: 'rejected', status: 401 })
    const date = clock.date
    void start()
    await clock.advance(2_000)
    clock.date = () => new Date(date().getTime() + 3_600_000)
    await clock.advance(1_000)
    expect(gateway.links).toHaveLength(1)
  })

  it('ends when told to, also during a wait', async () => {
    const { gateway, clock, leaving, start } = begin()
    gateway.answers.push({ kind: 'failed', why: 'ECONNREFUSED' })
    const done = start()
    await clock.advance(100)
    leaving.abort()
    await done
    expect(gateway.links).toHaveLength(0)
  })
})
