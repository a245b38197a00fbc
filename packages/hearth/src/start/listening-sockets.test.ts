import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openListeningSockets } from './listening-sockets.ts'

describe('the port', () => {
  it('is rejected with advice while another program uses it, and held once it is free', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(openListeningSockets(port)).rejects.toThrow(
      `Port ${port} is already in use by another program. Try another one: npm start -- --port`,
    )
    other.close()
    await once(other, 'close')
    using sockets = await openListeningSockets(port)
    expect(sockets.descriptors.length).toBeGreaterThan(process.platform === 'win32' ? -1 : 0)
    const late = createServer().listen(port, '127.0.0.1')
    await expect(once(late, 'listening')).rejects.toThrow('EADDRINUSE')
  })
})
