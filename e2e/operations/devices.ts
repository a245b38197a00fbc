// What a gateway does for its devices: how they join, the app they get, and what they reuse.

import { createHash } from 'node:crypto'
import { versionOf } from '@hearth/command-line/version'
import { createEnrolmentToken } from '@hearth/gateway/testing'
import { CLOSE } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import device from '../../packages/device/package.json' with { type: 'json' }
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { createToken } from '../harness/enrol-device.ts'
import { FULL, HI, LONELY, PLAIN } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

const { client, origin } = system

async function redeem(body: object) {
  return client.call(`${origin}/device/v1/enrol`, { key: null, body })
}

describe('enrolment', () => {
  it('rejects expired, unknown and malformed tokens', async () => {
    let late = ''
    const past = new Date(Date.now() - 1_000)
    await system.change(async (store, { home }) => (late = await createToken(store, home, past)))
    for (const token of [late, createEnrolmentToken().key, client.key])
      expect((await redeem({ token, name: 'laptop' })).status).toBe(401)
    for (const body of [{}, { token: 5, name: 'x' }, { token: 'x', name: '' }, { token: 'x', name: 'x'.repeat(129) }])
      expect((await redeem(body)).status).toBe(400)
  })

  it('is undone when the device is removed: its credential stops working', async () => {
    const token = await system.enrolmentToken()
    const { device: id, credential } = (await redeem({ token, name: 'lost' })).json as {
      device: string
      credential: string
    }
    const device = await system.connectDevice({ models: [LONELY], credential })
    await system.change((store, { home }) => store.removeDevice({ organization: home, device: id }))
    expect(await device.closed).toMatchObject({ code: CLOSE.revoked })
    await expect(system.connectDevice({ models: [LONELY], credential })).rejects.toThrow('401')
  })
})

async function separate(separatesPrefixes: boolean): Promise<void> {
  await system.change((store, { home: organization }) => store.changeSettings({ organization, separatesPrefixes }))
  // An enrolment makes the gateway refresh its access book immediately.
  await system.enrol('home')
}

describe('prefix reuse', () => {
  it('is shared by default, and otherwise separated on devices that can do it', async () => {
    await system.connectUsual()
    const ask = (model: string) => system.client.post({ model, messages: HI })
    expectCompletion(await ask(FULL))
    const { prefixScope: shared } = system.full.jobs.at(-1)!.request
    expect(shared).toStrictEqual({ name: expect.stringMatching(/^[0-9a-f]{32}$/) as string })

    await separate(true)
    expectCompletion(await ask(FULL))
    const { prefixScope: own } = system.full.jobs.at(-1)!.request
    expect(own).toStrictEqual({ ...shared, isSeparate: true })
    const { message } = expectError(await ask(PLAIN), { status: 400, code: 'unsupported_by_node', param: 'model' })
    expect(message).toMatch(/separates prefix reuse by API key.*Update the device app.*turn the setting off/)

    await separate(false)
    expectCompletion(await ask(PLAIN))
  })
})

describe('the app that the gateway distributes', () => {
  it('matches the version, size and checksum in their description', async () => {
    const notice = (await (await fetch(`${origin}/device/v1/app.json`)).json()) as Record<string, unknown>
    const response = await fetch(`${origin}/device/v1/app.tgz`)
    const archive = Buffer.from(await response.arrayBuffer())
    const sha256 = createHash('sha256').update(archive).digest('hex')
    expect(notice).toStrictEqual({ version: versionOf(device), sha256, bytes: archive.length })
    expect(response.headers.get('content-type')).toBe('application/gzip')
    const again = { 'if-none-match': response.headers.get('etag')! }
    expect((await fetch(`${origin}/device/v1/app.tgz`, { headers: again })).status).toBe(304)
  })

  it.each(['device', 'seal'])('comes with a list of what %s installs, for this very archive', async (name) => {
    const response = await fetch(`${origin}/${name}/v1/app.cdx.json`)
    const { metadata } = (await response.json()) as { metadata: { component: object } }
    const { sha256 } = (await (await fetch(`${origin}/${name}/v1/app.json`)).json()) as { sha256: string }
    expect(response.headers.get('content-type')).toBe('application/vnd.cyclonedx+json; version=1.5')
    expect(metadata.component).toMatchObject({ hashes: [{ alg: 'SHA-256', content: sha256 }] })
  })

  it('is read-only', async () => {
    const response = await fetch(`${origin}/device/v1/app.tgz`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD'])
    expect((await fetch(`${origin}/device/v1/app.tgz`, { method: 'HEAD' })).status).toBe(200)
  })
})
