import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { AccessBook } from '../access/access-book.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { createUpgradeHandler } from './device-upgrade.ts'

function requestWith(headers: Record<string, string>): IncomingMessage {
  const all = { authorization: 'Bearer credential', ...headers }
  return { url: '/device/v1/link', headers: all, rawHeaders: Object.entries(all).flat() } as unknown as IncomingMessage
}

describe('a device that connects', () => {
  it('[L22a] is rejected if a browser sends it, even with a credential that is right', async () => {
    const device = { id: 'd', organization: 'acme', name: 'd' }
    const upgrade = createUpgradeHandler({
      book: { isFresh: true, device: () => device } as unknown as AccessBook,
      fleet: { accept: () => expect.unreachable('the page got a link') } as unknown as Fleet,
      isDraining: () => false,
      onInternalError: () => expect.unreachable(),
    })
    const socket = new PassThrough()
    upgrade(requestWith({ origin: 'https://page.test' }), socket, Buffer.alloc(0))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

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
    upgrade(requestWith({}), socket, Buffer.alloc(0))
    isKnown = false
    prepared.resolve(() => expect.unreachable('the device got a link'))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /)
  })
})
