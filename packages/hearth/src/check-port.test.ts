import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkPort } from './check-port.ts'

describe('the port', () => {
  it('[R1] is refused with advice while another program uses it, and taken once it is free', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(checkPort(port)).rejects.toThrow(`Cannot use port ${port}: another program does`)
    other.close()
    await once(other, 'close')
    await expect(checkPort(port)).resolves.toBeUndefined()
  })
})
