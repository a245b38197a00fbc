import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStallableProxy, type StallableProxy } from '../testing/stallable-proxy.ts'
import { hasNats, startNats, type TestNats } from '../testing/start-nats.ts'
import type { Bus } from './bus.ts'
import { describeBus } from './bus.contract.ts'
import { connectNats } from './nats-bus.ts'

/** The server holds up little for a reader that is slow. */
const IMPATIENT = 'max_pending: 4MB\nwrite_deadline: "2s"'

describe.runIf(await hasNats('the bus over NATS'))('with a server', () => {
  describeBus('over NATS', async () => {
    const nats = await startNats({ user: 'hearth', password: 'a:b@c/d', configuration: IMPATIENT })
    const proxies = new Map<Bus, StallableProxy>()
    return {
      async connect() {
        const proxy = await startStallableProxy(nats.port)
        const credentials = `hearth:${encodeURIComponent('a:b@c/d')}`
        const bus = await connectNats(`nats://${credentials}@127.0.0.1:${proxy.port}`, { onFault: () => {} })
        proxies.set(bus, proxy)
        return bus
      },
      kill: () => nats.kill(),
      revive: () => nats.restart(),
      stall: (bus) => proxies.get(bus)?.stall(),
      resume: (bus) => proxies.get(bus)?.resume(),
      async close() {
        for (const proxy of proxies.values()) await proxy.close()
        await nats.stop()
      },
    }
  })

  it('a connection says which server it has', async () => {
    const nats = await startNats()
    const bus = await connectNats(nats.url, { onFault: () => {} })
    const before = bus.server
    expect(before?.name).toMatch(/^hearth-/)
    await nats.kill()
    await expect.poll(() => bus.server).toBeUndefined()
    await nats.restart()
    await expect.poll(() => bus.server?.name).toBe(before?.name)
    expect(bus.server?.id).not.toBe(before?.id)
    await bus.close()
    await nats.stop()
  })

  describe('a server that stops without closing its connections', () => {
    it.each([
      ['however much is published', 100],
      ['also when nothing is published', 0],
    ])('is noticed, %s, and used again when it goes on', async (_, megabytes) => {
      const nats = await startNats()
      const troubles: string[] = []
      const bus = await connectNats(nats.url, { onFault: () => {}, onTrouble: ({ message }) => troubles.push(message) })
      try {
        nats.signal('SIGSTOP')
        const payload = new Uint8Array(1024 * 1024)
        for (let count = 0; count < megabytes; count++) bus.publish('hearth.flood', payload)
        await expect.poll(() => bus.isConnected).toBe(false)
        nats.signal('SIGCONT')
        await expect.poll(() => bus.isConnected).toBe(true)
        expect(troubles[0]).toContain('the server does not answer')
      } finally {
        nats.signal('SIGCONT')
        await bus.close()
        await nats.stop()
      }
    })
  })

  it('several servers are tried until one answers', async () => {
    const nats = await startNats()
    const bus = await connectNats(`nats://127.0.0.1:1,127.0.0.1:${nats.port}`, { onFault: () => {} })
    expect(bus.isConnected).toBe(true)
    await bus.close()
    await nats.stop()
  })

  describe('a NATS server that cannot be used', () => {
    const PASSWORD = 'correct-horse'
    let nats: TestNats
    let encrypted: TestNats
    let folder: string

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hearth-certificate-'))
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
      const about = ['-nodes', '-days', '1', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...about], { stdio: 'ignore' })
      nats = await startNats({ user: 'hearth', password: PASSWORD })
      encrypted = await startNats({ configuration: `tls { cert_file: "${certificate}", key_file: "${key}" }` })
    })
    afterAll(async () => {
      await nats.stop()
      await encrypted.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    async function messageFor(url: string): Promise<string> {
      const error = await connectNats(url, { onFault: () => {} }).then(
        () => new Error('connected'),
        (reason: Error) => reason,
      )
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('wrong-pass')
      return error.message
    }

    it.each<[reason: string, url: () => string, says: RegExp]>([
      [
        'wrong password',
        () => `nats://hearth:wrong-pass@127.0.0.1:${nats.port}`,
        /^NATS at 127\.0\.0\.1:\d+ rejects the user name, password or token$/,
      ],
      ['no password', () => `nats://127.0.0.1:${nats.port}`, /rejects the user name, password or token/],
      [
        'nobody listens',
        () => 'nats://hearth:wrong-pass@127.0.0.1:1',
        /^Cannot reach NATS at 127\.0\.0\.1:1: connection refused$/,
      ],
      [
        'unknown host',
        () => 'nats://hearth:wrong-pass@nowhere.invalid',
        /^Cannot reach NATS at nowhere\.invalid:4222: /,
      ],
      [
        'a certificate that nobody vouches for',
        () => `tls://hearth:wrong-pass@127.0.0.1:${encrypted.port}`,
        /over TLS: self-signed certificate.*NODE_EXTRA_CA_CERTS/,
      ],
      [
        'no TLS',
        () => `tls://hearth:${PASSWORD}@127.0.0.1:${nats.port}`,
        /over TLS: .*use nats:\/\/ instead of tls:\/\//,
      ],
      ['not a NATS server', () => 'http://hearth:wrong-pass@host', /^Cannot read the NATS URL: /],
      ['no host', () => 'nats://', /^Cannot read the NATS URL: /],
      ['no host after the password', () => 'nats://hearth:wrong-pass@', /^Cannot read the NATS URL: /],
      ['two kinds of URLs', () => 'nats://a,tls://b', /^Cannot read the NATS URL: /],
    ])('is named, with the reason: %s', async (_, url, says) => {
      expect(await messageFor(url())).toMatch(says)
    })

    it('is named, with the reason: it takes small messages only', async () => {
      const small = await startNats({ configuration: 'max_payload: 64KB' })
      expect(await messageFor(small.url)).toMatch(/at most 65536 bytes; set its max_payload to 1MB/)
      await small.stop()
    })
  })
})
