// The doors of sealed requests, from outside: what they reject, and that nothing of it reaches a device.

import { newAgreementKey, newSigningKey, sealText, signText, writeDeviceList } from '@hearth/sealing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL, HI, startSystem, type System } from '../harness/start-system.ts'

const seal = newSigningKey()
let system: System
let organization: string

beforeAll(async () => {
  // Nobody can open what these tests seal.
  system = await startSystem({ settings: { DEVICE_WAIT_MS: '300', USAGE_FLUSH_MS: '200' } })
  await turn('optional')
})
afterAll(async () => system[Symbol.asyncDispose]())

async function turn(mode: 'off' | 'optional' | 'required'): Promise<void> {
  await system.change(async (store, { home }) => {
    organization = home
    await store.changeSealing({ organization: home, mode, seal: sealText(seal.publicKey, 'hs') })
  })
  // An enrolment makes the gateway refresh its access book immediately.
  await system.enrol('home')
}

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${system.origin}/sealed/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${system.client.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, code: /"code":"(\w+)"/.exec(text)?.[1] }
}

/** Code and model of requests, as the console lists them. */
async function rejected() {
  const rows: unknown[] = []
  await system.change(async (store) => {
    const { requests } = await store.listRequests({ organization, limit: 10 })
    rows.push(...requests.map(({ code, model }) => [code, model]))
  })
  return rows
}

function sealed(header: object = {}, keys = 1) {
  const known = { version: 1, organization, id: 'A'.repeat(22), sealedAt: Date.now(), model: FULL }
  const rest = { features: ['sealed'], stream: true, choices: 1, promptTokens: 64 }
  const key = { enc: 'A'.repeat(43), key: 'A'.repeat(64) }
  return {
    header: JSON.stringify({ ...known, ...rest, ...header }),
    box: 'AAAA',
    keys: Array.from({ length: keys }, (_, index) => ({ device: `d${index}`, ...key })),
  }
}

const list = (number: number, of = organization) =>
  writeDeviceList(
    {
      organization: of,
      number,
      signedAt: 1,
      devices: [{ id: 'd', name: 'd', key: newAgreementKey().publicKey, from: 1 }],
    },
    seal,
  )

describe('a sealed request', () => {
  it('is rejected if its part in the clear is wrong', async () => {
    const wrong = [sealed({ organization: 'other' }), sealed({}, 65), sealed({}, 0), sealed({ choices: 99 }), {}]
    for (const body of wrong)
      expect(await send('POST', 'chat/completions', body)).toMatchObject({ status: 400, code: 'invalid_value' })
    const unknown = await send('POST', 'chat/completions', sealed({ model: 'nothing' }))
    expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' })
    expect(await send('POST', 'nothing')).toMatchObject({ status: 404, code: 'unknown_url' })
  })

  it('is rejected if it is larger than any request may be', async () => {
    const body = { ...sealed(), box: 'A'.repeat(36 * 1024 * 1024) }
    expect(await send('POST', 'chat/completions', body)).toMatchObject({ status: 413 })
  })

  it('is a stream from the beginning, in which its failure is an event', async () => {
    const { status, text } = await send('POST', 'chat/completions', sealed())
    expect([status, text]).toEqual([200, expect.stringMatching(/^data: .*\n\n$/s)])
    expect(text).toContain('"fail":{"kind":')
  })
})

describe('the lists of a seal', () => {
  it('are stored only if the seal has signed them, one after the other', async () => {
    const forged = signText(list(1).text, newSigningKey())
    for (const devices of [forged, { ...list(1), text: `${list(1).text} ` }, list(1, 'other'), {}])
      expect(await send('PUT', 'seal', { devices })).toMatchObject({ status: 400, code: 'invalid_value' })
    expect(await send('PUT', 'seal', {})).toMatchObject({ status: 400 })
    const first = list(1)
    expect(await send('PUT', 'seal', { devices: first })).toMatchObject({ status: 204 })
    for (const number of [1, 3])
      expect(await send('PUT', 'seal', { devices: list(number) })).toMatchObject({ status: 409, code: 'conflict' })
    const { status, text } = await send('GET', 'seal')
    expect([status, JSON.parse(text)]).toMatchObject([200, { organization, mode: 'optional', devices: first }])
  })
})

describe('an organization that requires sealing', () => {
  it('gets no plain request to a device', async () => {
    await turn('required')
    const before = system.full.jobs.length
    const { status, text } = await system.client.post({ model: FULL, messages: HI })
    expect([status, text]).toEqual([403, expect.stringContaining('sealed_required')])
    expect(text).toContain('hearth-seal proxy')
    expect(system.full.jobs).toHaveLength(before)
    await expect.poll(rejected).toContainEqual(['sealed_required', FULL])
    await turn('off')
    expect(await send('POST', 'chat/completions', sealed())).toMatchObject({ status: 403, code: 'sealed_off' })
  })
})
