// Somebody with the credentials of the bus sends what no gateway would.

import { describe, expect, it } from 'vitest'
import { MemoryBus } from '../../../bus/testing/memory-bus.ts'
import { VirtualClock } from '../../simulator/virtual-clock.ts'
import { Incoming } from './incoming.ts'
import { writePacket } from './packet.ts'
import { openPeerLinks } from './peer-links.ts'

const FLOOD = 5_000
const MOST_PEERS = 64
const HELLO = { kind: 'hello', session: 1, toSession: 0, number: 0, received: 0 } as const

function open() {
  const time = new VirtualClock()
  const clock = time.asClock()
  const faults: unknown[] = []
  const memory = new MemoryBus({ clock, onFault: (error) => faults.push(error) })
  const [own, hostile] = [memory.connect('own'), memory.connect('hostile')]
  const onFault = (error: unknown) => faults.push(error)
  const links = openPeerLinks<string>({ bus: own, self: 'own', version: '1', clock, onFault })
  links.listen({ up: () => {}, down: () => {}, message: () => {} })
  return {
    faults,
    send: (from: string) => hostile.publish('hearth.to.own', writePacket({ ...HELLO, from, version: '1' }, undefined)),
    pass: () => time.pass(100),
    sent: () => own.stats().messagesOut,
  }
}

describe('a hostile peer', () => {
  it('that writes as thousands of gateways gets answers for a few', () => {
    const { send, pass, sent } = open()
    for (let index = 0; index < FLOOD; index++) send(`fake-${index}`)
    pass()
    expect(sent()).toBeLessThan(3 * MOST_PEERS)
  })

  it('that sends nonsense is not heard', () => {
    const { send, faults, pass, sent } = open()
    const before = sent()
    for (const from of ['*', 'a.>', 'x'.repeat(65)]) send(from)
    pass()
    expect([faults, sent() - before]).toEqual([[], 0])
  })

  it('that never ends a batch fills no memory', () => {
    const incoming = new Incoming(4096)
    const part = Buffer.alloc(1024)
    let number = 0
    while (incoming.take({ ...HELLO, kind: 'part', number: number + 1 }, part) === 'part') number += 1
    expect(number).toBe(4)
  })
})
