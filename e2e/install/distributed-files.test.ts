import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { startSystem } from '../harness/start-system.ts'

const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())

describe('the files that the gateway distributes', () => {
  it('match the version, size and checksum in their description', async () => {
    const notice = (await (await fetch(`${system.origin}/device/v1/app.json`)).json()) as Record<string, unknown>
    const response = await fetch(`${system.origin}/device/v1/app.tgz`)
    const archive = Buffer.from(await response.arrayBuffer())
    const { version } = JSON.parse(
      await readFile(new URL('../../packages/device/package.json', import.meta.url), 'utf8'),
    ) as { version: string }
    const sha256 = createHash('sha256').update(archive).digest('hex')
    expect(notice).toStrictEqual({ version, sha256, bytes: archive.length })
    expect(response.headers.get('content-type')).toBe('application/gzip')
    const again = { 'if-none-match': response.headers.get('etag')! }
    expect((await fetch(`${system.origin}/device/v1/app.tgz`, { headers: again })).status).toBe(304)
  })

  it('are read-only', async () => {
    const response = await fetch(`${system.origin}/device/v1/app.tgz`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD'])
    expect((await fetch(`${system.origin}/device/v1/app.tgz`, { method: 'HEAD' })).status).toBe(200)
  })
})
