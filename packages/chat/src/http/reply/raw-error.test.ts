import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { ApiError } from '../../errors.ts'
import { writeRawError } from './raw-error.ts'

it('survives a client that is gone before it gets the error', async () => {
  const socket = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, callback) => callback(new Error('ECONNRESET')),
  })
  const closed = new Promise<void>((resolve) => socket.on('close', resolve))
  writeRawError(socket, new ApiError('bad_request', 'This server is not a proxy.'))
  await closed
  expect(socket.destroyed).toBe(true)
})
