import type { ScriptedDevice } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillOrganization, linkDevice, theOrganization } from './harness/fill.ts'
import { chooseInMenu, column, confirmByName, toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
let page: Page
let devices: ScriptedDevice[]

beforeAll(async () => {
  page = await system.ownersPage()
  devices = await fillOrganization(system.store, system.origin)
})
afterAll(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

async function find(name: string) {
  return (await system.store.listDevices(await theOrganization(system.store))).find((device) => device.name === name)
}

describe('Devices', () => {
  it('[Q6] tells state, models, slots and the last time each was seen', async () => {
    await visit(page, '/devices')
    expect(await column(page, 'Devices', 'Device')).toStrictEqual([
      'Build server',
      'GPU server in the basement',
      "Katherine's ThinkPad",
      'Mac Studio',
      'New laptop of Grace',
      'Reception iMac',
    ])
    expect(await column(page, 'Devices', 'State')).toStrictEqual([
      'Idle',
      'Idle',
      'Idle',
      'Idle',
      'Never linked',
      'Offline',
    ])
    expect(await column(page, 'Devices', 'Models')).toStrictEqual([
      'nomic-chat',
      '3 models',
      'qwen3:8b',
      '2 models',
      '–',
      '–',
    ])
    expect(await column(page, 'Devices', 'Slots in use')).toStrictEqual(['0/2', '0/20', '0/1', '0/6', '–', '–'])
    expect((await column(page, 'Devices', 'Last seen')).slice(3)).toStrictEqual(['now', 'never', '3 days ago'])
  })

  it('[Q6] says what an update of the app would bring', async () => {
    await visit(page, '/devices?state=update')
    await page.getByRole('button', { name: "Katherine's ThinkPad", exact: true }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('A newer device app exists.').waitFor()
    await sheet.getByText('JSON schema after an update').waitFor()
    await sheet.getByText('8K context').waitFor()
    await sheet.getByRole('button', { name: 'Close' }).click()
  })

  it('[Q6] makes a command, notices the device that uses it, and can revoke one that is unused', async () => {
    await visit(page, '/devices')
    await page.getByRole('button', { name: 'Add a device' }).click()
    await page.getByRole('button', { name: 'Create command' }).click()
    const command = await page.getByLabel('Command that adds the device', { exact: true }).innerText()
    const [token] = /he-hearth-\w+/.exec(command) ?? []
    const body = JSON.stringify({ token, name: 'Attic' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${system.origin}/device/v1/enrol`, { method: 'POST', headers, body })
    await page.getByText('Attic has joined. Start it to link it.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a device' }).click()
    await page.getByRole('button', { name: 'Create command' }).click()
    await page.getByLabel('Command that adds the device', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    const unused = page.getByRole('table', { name: 'Unused commands' })
    await unused.getByRole('button', { name: 'Revoke' }).click()
    await toast(page, 'Command revoked')
    await unused.waitFor({ state: 'detached' })
  })

  it('[Q6] pauses and resumes', async () => {
    await visit(page, '/devices')
    await chooseInMenu(page, 'Actions for Mac Studio', 'Pause')
    await toast(page, /gets no new jobs/)
    expect((await find('Mac Studio'))?.isPaused).toBe(true)
    await page
      .getByRole('row', { name: /Mac Studio/ })
      .getByText('Paused')
      .waitFor()
    await chooseInMenu(page, 'Actions for Mac Studio', 'Resume')
    await toast(page, /gets jobs again/)
    expect((await find('Mac Studio'))?.isPaused).toBe(false)
  })

  it('[Q6] renames', async () => {
    await visit(page, '/devices')
    await chooseInMenu(page, 'Actions for Build server', 'Rename')
    await page.getByRole('dialog').getByLabel('Name').fill('Builder')
    await page.getByRole('button', { name: 'Rename' }).click()
    await toast(page, 'Device renamed')
    expect(await column(page, 'Devices', 'Device')).toContain('Builder')
  })

  it('[Q6] removes by name, and the device is cut off', async () => {
    const device = await linkDevice(system.store, system.origin, { name: 'Leaver', models: ['qwen3:8b'] })
    await visit(page, '/devices')
    await chooseInMenu(page, 'Actions for Leaver', 'Remove')
    await page.getByText('Its link closes at once and its credential is void.').waitFor()
    await confirmByName(page, 'Leaver', 'Remove device')
    await toast(page, 'Device removed')
    expect((await device.closed).code).toBe(4401)
    expect(await column(page, 'Devices', 'Device')).not.toContain('Leaver')
  })

  it('[Q10] shows a job on a device while it runs', async () => {
    const release = Promise.withResolvers<void>()
    const plan = { stall: { at: 1, until: release.promise } }
    const organization = await theOrganization(system.store)
    await system.store.enableModel({ organization, name: 'slow' })
    const device = await linkDevice(system.store, system.origin, { name: 'Slow one', models: ['slow'], plan })
    const { secret } = await system.call(page, `/organizations/${organization}/keys`, { name: 'for a job' })
    await visit(page, '/devices')
    const answer = fetch(`${system.origin}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(secret)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await page
      .getByRole('row', { name: /Slow one/ })
      .getByText('Busy')
      .waitFor()
    release.resolve()
    expect((await answer).status).toBe(200)
    await page
      .getByRole('row', { name: /Slow one/ })
      .getByText('Idle')
      .waitFor()
    await device[Symbol.asyncDispose]()
  })
})

describe('a device that shows a code', () => {
  async function ask(name: string): Promise<{ user_code: string; device_code: string; verification_uri: string }> {
    const response = await fetch(`${system.origin}/device/v1/authorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, app: '0.1.0', system: 'linux x64' }),
    })
    return (await response.json()) as { user_code: string; device_code: string; verification_uri: string }
  }

  it('[Q6] is shown with what it says about itself, and joins once approved', async () => {
    const { user_code: code, verification_uri: address } = await ask('Kiosk')
    await visit(page, address)
    await page.getByLabel('Code').fill(code.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Look up' }).click()
    for (const text of ['linux x64', '127.0.0.1', 'nobody has checked it']) await page.getByText(text).first().waitFor()
    await page.getByLabel('Name in the console').fill('Kiosk downstairs')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The device notices within a few seconds').waitFor()
  })

  it('[Q6] is turned away', async () => {
    const { user_code: code, device_code: deviceCode } = await ask('Stranger')
    await visit(page, '/devices/approve')
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('button', { name: 'Turn away' }).click()
    await toast(page, 'The device was turned away')
    const response = await fetch(`${system.origin}/device/v1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ device_code: deviceCode }),
    })
    expect(await response.json()).toMatchObject({ error: { code: 'access_denied' } })
  })

  it('[Q6] says that a code is wrong', async () => {
    await visit(page, '/devices/approve')
    await page.getByLabel('Code').fill('BCDF-GHJK')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('alert').waitFor()
  })

  it('[Q15] asked no other origin for anything, and broke nowhere', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
