import { encodeFrame, type Hello } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { DeviceLink } from './device-link.ts'

describe('a greeting', () => {
  it('[L25] strips characters that a terminal would interpret', () => {
    const greetings: Hello[] = []
    const listener = {
      greeted: (_: DeviceLink, hello: Hello) => greetings.push(hello),
      frame: () => {},
      closed: () => {},
    }
    const socket = { bufferedBytes: 0, send: () => {}, close: () => {} }
    const link = new DeviceLink({ id: 'd', organization: 'o', name: 'n' }, 1, socket, listener, 0)
    const texts = { app: '1.2.3\u001B]0;owned\u0007', boot: 'b', engine: 'llama\u202E\u009B31m' }
    link.receive(encodeFrame({ type: 'hello', protocols: [1], models: [], ...texts }), 0)
    expect(greetings).toMatchObject([{ app: '1.2.3]0;owned', engine: 'llama31m' }])
    expect(link.state).toMatchObject({ name: 'serving', hello: { app: '1.2.3]0;owned' } })
  })
})
