// The seal of an organization, and the devices that its signed list approves.

import {
  fingerprintOf,
  newAgreementKey,
  newSigningKey,
  sealText,
  writeDeviceList,
  type SigningKey,
} from '@hearth/sealing'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectDevice, world } from '../../testing/console-fixture.ts'
import { at, Visitor } from '../../testing/visitor.ts'

interface Shown {
  mode: string
  seal: { text: string; fingerprint: object } | null
  list: { number: number } | null
  administrators: object[]
  devices: { name: string; state: string; isOnline: boolean; fingerprint: object | null }[]
}

interface Rejection {
  error: { code: string; message: string; param: string }
}

const NAME = 'Sealed'

describe('sealed requests', () => {
  let organization: string
  let admin: Visitor
  let member: Visitor
  let seal: SigningKey

  beforeAll(async () => {
    organization = (await world.store.createOrganization({ name: NAME })).id
    admin = await world.join(organization, 'adam@sealed.test', 'admin')
    member = await world.join(organization, 'mia@sealed.test', 'member')
    seal = newSigningKey()
  })

  const read = async (visitor = member) => (await visitor.get<Shown>(at(organization, '/sealing'))).body
  const change = (body: object, visitor = admin) => visitor.send<Rejection>('PATCH', at(organization, '/sealing'), body)
  const rejection = async (body: object) => {
    const answer = await change(body)
    return { status: answer.status, ...answer.body.error }
  }
  const textOf = (key: SigningKey) => sealText(key.publicKey, 'hs')

  it('are off at first, and need a seal before they are turned on', async () => {
    expect(await read()).toMatchObject({ mode: 'off', seal: null, list: null, administrators: [], devices: [] })
    const message = expect.stringContaining('Run hearth-seal init on your own computer')
    expect(await rejection({ mode: 'required' })).toMatchObject({ status: 400, param: 'seal', message })
    expect(await read()).toMatchObject({ mode: 'off' })
  })

  it('take a seal only as it was printed', async () => {
    const text = textOf(seal)
    const typo = `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`
    for (const wrong of [typo, text.slice(0, -1), 'seal', sealText(seal.publicKey, 'ha')])
      expect(await rejection({ seal: wrong })).toMatchObject({ status: 400, code: 'invalid_value', param: 'seal' })
    expect((await change({ seal: text }, member)).status).toBe(403)
    expect((await change({ seal: ` ${text}\n`, mode: 'optional' })).status).toBe(204)
    const fingerprint = fingerprintOf(seal.publicKey)
    expect(await read()).toMatchObject({ mode: 'optional', seal: { text, fingerprint } })
  })

  it('show the devices of the signed list, and the others', async () => {
    const { publicKey: sealKey } = newAgreementKey()
    const { id } = await connectDevice('desk', { extraFields: { sealKey } }, organization)
    await connectDevice('old', {}, organization)
    const list = { organization, number: 1, signedAt: 1_000, devices: [{ id, name: 'n', key: sealKey, from: 1 }] }
    const devices = { ...writeDeviceList(list, seal), number: 1, entries: 1 }
    await world.store.putSignedLists({ organization, seal: textOf(seal), apiKey: 'none', devices })
    expect((await read()).devices.map(({ name, state, isOnline }) => [name, state, isOnline])).toEqual([
      ['desk', 'approved', true],
      ['old', 'no-key', true],
    ])
  })

  it('need the name of the organization before their seal is replaced', async () => {
    const next = textOf(newSigningKey())
    expect((await change({ seal: textOf(seal) })).status).toBe(204)
    for (const name of [{}, { name: 'sealed' }])
      expect(await rejection({ seal: next, ...name })).toMatchObject({ status: 400, param: 'name' })
    expect(await read()).toMatchObject({ seal: { text: textOf(seal) }, list: { number: 1 } })
    expect((await change({ seal: next, name: NAME })).status).toBe(204)
    expect(await read()).toMatchObject({ seal: { text: next }, list: null, administrators: [] })
  })

  it('come with the program that seals, as the gateway hands it out', async () => {
    const { body } = await member.get<{ installCommand: string }>(at(organization, '/sealing/program'))
    const notice = (await (await fetch(`${world.base}/seal/v1/app.json`)).json()) as Record<string, unknown>
    expect(body).toMatchObject({ version: notice['version'], sha256: notice['sha256'] })
    expect(body.installCommand).toContain(`${world.base}/seal/v1/installer.tgz`)
  })

  it('change the base URL that pages show, once plain requests are rejected', async () => {
    const shown = async () => (await member.get(at(organization, '/overview'))).body
    await change({ seal: textOf(seal), mode: 'optional', name: NAME })
    expect(await shown()).toMatchObject({ baseUrl: `${world.base}/openai/v1`, isSealed: false })
    await change({ mode: 'required' })
    expect(await shown()).toMatchObject({ baseUrl: 'http://127.0.0.1:8282/openai/v1', isSealed: true })
    await change({ mode: 'optional' })
  })

  it('tell pages that the mode has changed', async () => {
    await change({ mode: 'required' })
    expect((await member.get(at(organization))).body).toMatchObject({ sealing: 'required', name: NAME })
    expect((await member.get(at(organization))).body).not.toHaveProperty('seal')
  })
})
