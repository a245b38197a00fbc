import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { AccessBook } from '../access/access-book.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { createUpgradeHandler } from './device-upgrade.ts'

const request = {
  url: '/device/v1/link',
  headers: { authorization: 'Bearer credential' },
  rawHeaders: ['authorization', 'Bearer credential'],
} as unknown as IncomingMessage

describe('a device that connects', () => {
  it('[L22] gets a 401 if it is removed while its link is prepared', async () => {
    let isKnown = true
    const device = { id: 'd', organization: 'acme', name: 'd' }
    const book = { isFresh: true, device: () => (isKnown ? device : undefined) } as unknown as AccessBook
    const prepared = Promise.withResolvers<Awaited<ReturnType<Fleet['accept']>>>()
    const fleet = { accept: () => prepared.promise } as unknown as Fleet
    const upgrade = createUpgradeHandler({
      book,
      fleet,
      isDraining: () => false,
      onInternalError: () => expect.unreachable(),
    })
    const socket = new PassThrough()
    upgrade(request, socket, Buffer.alloc(0))
    isKnown = false
    prepared.resolve(() => expect.unreachable('the device got a link'))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /)
  })
})
