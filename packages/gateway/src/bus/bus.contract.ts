// Behavior of every bus. Each test has a bus of its own, so that killing it disturbs nobody.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bus } from './bus.ts'
import { echo } from './testing/echo.ts'

export interface BusWorld {
  connect(): Promise<Bus>
  /** The server dies. */
  kill(): Promise<void>
  /** The server is back where it was. */
  revive(): Promise<void>
  /** This connection stops reading what the server sends. */
  stall(bus: Bus): void
  resume(bus: Bus): void
  close(): Promise<void>
}

/** Every bus carries a message of this many bytes. */
const LARGEST = 1024 * 1024
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (payload: Uint8Array) => new TextDecoder().decode(payload)

export function describeBus(name: string, open: () => Promise<BusWorld>): void {
  describe(`bus ${name}`, () => {
    let world: BusWorld
    let sender: Bus
    let receiver: Bus

    beforeEach(async () => {
      world = await open()
      sender = await world.connect()
      receiver = await world.connect()
    })
    afterEach(async () => {
      await Promise.all([sender.close(), receiver.close()])
      await world.close()
    })

    /** The texts that arrive on a subject. */
    async function listen(bus: Bus, subject: string): Promise<string[]> {
      const texts: string[] = []
      bus.subscribe(subject, (payload) => texts.push(decode(payload)))
      await echo(bus)
      return texts
    }

    it('delivers the messages of a sender on a subject in their order', async () => {
      const texts = await listen(receiver, 'hearth.order')
      const sent = Array.from({ length: 5_000 }, (_, index) => `message ${index}`)
      for (const text of sent) sender.publish('hearth.order', encode(text))
      await expect.poll(() => texts.length).toBe(sent.length)
      expect(texts).toEqual(sent)
    })

    it('delivers to every listener of exactly that subject, also to those of the sender', async () => {
      const received = await Promise.all([
        listen(receiver, 'hearth.one'),
        listen(receiver, 'hearth.one'),
        listen(sender, 'hearth.one'),
        listen(receiver, 'hearth.one.more'),
      ])
      sender.publish('hearth.one', encode('hello'))
      sender.publish('hearth.one.more', encode('last'))
      await expect.poll(() => received.map((texts) => texts.join(' '))).toEqual(['hello', 'hello', 'hello', 'last'])
    })

    it('stops delivering when a listener leaves', async () => {
      const texts = await listen(receiver, 'hearth.stay')
      const left: string[] = []
      const leave = receiver.subscribe('hearth.leave', (payload) => left.push(decode(payload)))
      await echo(receiver)
      leave()
      await echo(receiver)
      sender.publish('hearth.leave', encode('gone'))
      sender.publish('hearth.stay', encode('here'))
      await expect.poll(() => texts).toEqual(['here'])
      expect(left).toEqual([])
    })

    it('goes on when a listener throws', async () => {
      receiver.subscribe('hearth.throw', () => {
        throw new Error('from a listener')
      })
      const texts = await listen(receiver, 'hearth.throw')
      sender.publish('hearth.throw', encode('one'))
      sender.publish('hearth.throw', encode('two'))
      await expect.poll(() => texts).toEqual(['one', 'two'])
    })

    it('says when the server is gone and when it is back; then all subscriptions live, and nothing comes from between', async () => {
      const states: boolean[] = []
      const before = await listen(receiver, 'hearth.again')
      receiver.onState((isConnected) => states.push(isConnected))
      await world.kill()
      await expect.poll(() => [receiver.isConnected, sender.isConnected]).toEqual([false, false])
      sender.publish('hearth.again', encode('too early'))
      const between: string[] = []
      receiver.subscribe('hearth.again', (payload) => between.push(decode(payload)))
      await world.revive()
      await expect.poll(() => receiver.isConnected && sender.isConnected).toBe(true)
      await echo(receiver)
      sender.publish('hearth.again', encode('in time'))
      await expect.poll(() => [before, between]).toEqual([['in time'], ['in time']])
      expect(states).toEqual([false, true])
      expect(receiver.stats().breaks).toBe(1)
    })

    it('cuts off a reader that stops reading, tells it so, and it comes back', async () => {
      const states: boolean[] = []
      const texts = await listen(receiver, 'hearth.flood')
      const others = await listen(sender, 'hearth.flood')
      receiver.onState((isConnected) => states.push(isConnected))
      world.stall(receiver)
      await flood(sender, () => receiver.isConnected)
      world.resume(receiver)
      await expect.poll(() => states).toEqual([false, true])
      await echo(receiver)
      sender.publish('hearth.flood', encode('after'))
      await expect.poll(() => texts.at(-1)).toBe('after')
      expect(texts.length).toBeLessThan(others.length)
    })

    /** Publishes until `isGoingOn` is false or 64 MiB are out: more than any bus holds up for one reader. */
    async function flood(bus: Bus, isGoingOn: () => boolean): Promise<void> {
      const payload = new Uint8Array(256 * 1024)
      for (let count = 0; count < 256 && isGoingOn(); count++) {
        bus.publish('hearth.flood', payload)
        await echo(bus)
      }
    }

    it('takes payloads of every size up to the largest, and rejects payloads that are too large', async () => {
      const sizes: number[] = []
      receiver.subscribe('hearth.size', ({ length }) => sizes.push(length))
      await echo(receiver)
      for (const size of [0, 1, 65_536, LARGEST]) sender.publish('hearth.size', new Uint8Array(size))
      await expect.poll(() => sizes).toEqual([0, 1, 65_536, LARGEST])
      expect(() => sender.publish('hearth.size', new Uint8Array(LARGEST + 1))).toThrow(/bytes/)
    })

    it.each(['', 'hearth.*', 'hearth.>', 'a b', 'a\r\nPUB b', '.a', 'a..b'])('takes %j for no subject', (subject) => {
      expect(() => sender.publish(subject, encode('hello'))).toThrow(/Not a subject/)
    })

    it('counts messages, bytes and breaks', async () => {
      const texts = await listen(receiver, 'hearth.count')
      const before = receiver.stats()
      sender.publish('hearth.count', encode('12345'))
      sender.publish('hearth.count', encode('678'))
      await expect.poll(() => texts.length).toBe(2)
      expect(sender.stats()).toMatchObject({ messagesOut: 2, bytesOut: 8, messagesIn: 0, breaks: 0 })
      const { messagesIn, bytesIn } = before
      expect(receiver.stats()).toEqual({ ...before, messagesIn: messagesIn + 2, bytesIn: bytesIn + 8 })
    })

    it('is silent once closed', async () => {
      const states: boolean[] = []
      receiver.onState((isConnected) => states.push(isConnected))
      const texts = await listen(receiver, 'hearth.closed')
      await receiver.close()
      await receiver.close()
      sender.publish('hearth.closed', encode('hello'))
      await echo(sender)
      receiver.publish('hearth.closed', encode('hello'))
      expect([texts, states, receiver.isConnected]).toEqual([[], [], false])
    })
  })
}
