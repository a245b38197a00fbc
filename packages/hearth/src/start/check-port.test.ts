import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkPort } from './check-port.ts'

describe('the port', () => {
  it('is rejected with advice while another program uses it, and accepted once it is free', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(checkPort(port)).rejects.toThrow(
      `Port ${port} is already in use by another program. Try another one: npm start -- --port`,
    )
    other.close()
    await once(other, 'close')
    await expect(checkPort(port)).resolves.toBeUndefined()
  })
})
