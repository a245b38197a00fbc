import { describe, expect, it } from 'vitest'
import { Session } from './session.ts'

const SERVER = { id: 'server', name: 'nats' }

describe('Session', () => {
  it('names the server once a heartbeat that was sent over the connection has come back', () => {
    const session = new Session()
    session.begin(SERVER, 7)
    expect([session.heardOwn(6), session.server]).toEqual([false, undefined])
    expect([session.heardOwn(7), session.server]).toEqual([true, SERVER])
  })

  it('starts over after a break', () => {
    const session = new Session()
    session.begin(SERVER, 1)
    session.heardOwn(1)
    const before = session.count
    session.end()
    expect([session.heardOwn(2), session.server]).toEqual([false, undefined])
    expect(session.count).toBeGreaterThan(before)
  })
})
