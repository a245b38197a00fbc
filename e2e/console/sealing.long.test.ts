import { createKey } from '@hearth/gateway/testing'
import { fingerprintOf } from '@hearth/sealing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { linkDevice, theOrganization } from './harness/fill.ts'
import { column, confirmByName, toast, visit } from './harness/people.ts'
import { linkSealedDevice, TestSeal, type SealedDevice } from './harness/seal.ts'
import { ORGANIZATION, startConsole } from './harness/start-console.ts'

const WIDTHS = [390, 1_024, 1_440]
const SEAL_TABLE = 'Devices and the seal'

const system = await startConsole()
const { store, origin } = system
const seal = new TestSeal()
let page: Page
let organization: string
let desk: SealedDevice
let lab: SealedDevice

beforeAll(async () => {
  page = await system.ownersPage()
  organization = await theOrganization(store)
  await store.enableModel({ organization, name: 'm' })
})
afterAll(async () => system[Symbol.asyncDispose]())

async function save(change?: string): Promise<void> {
  await page
    .locator('form', { hasText: 'What this organization accepts' })
    .getByRole('button', { name: 'Save' })
    .click()
  if (change !== undefined) await page.getByRole('dialog').getByRole('button', { name: change }).click()
}

async function addRequest(key: string, about: { request: string; isSealed: boolean }): Promise<void> {
  const place = { organization, key, model: 'm', device: '' }
  const figures = { promptTokens: 64, completionTokens: 9, waitMs: 1 }
  const at = new Date()
  const row = { ...place, ...figures, hour: at, requests: 1, errors: 0, busyMs: 1 }
  const times = { firstTokenMs: 2, totalMs: 3, attempts: 1, isStream: true, takeOver: undefined }
  const requests = [{ ...place, ...figures, ...times, ...about, at, code: '' }]
  await store.addUsage([row], undefined, { codes: [], requests })
}

async function expectGoodLooks(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findViolations(page), colorScheme).toStrictEqual([])
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
}

describe('sealed requests', () => {
  it('are set up in four commands, and are off until there is a seal', async () => {
    await visit(page, '/settings')
    await page.getByText('Set up sealed requests').click()
    for (const command of ['hearth-seal init', `hearth-seal approve --gateway ${origin}`])
      await page.getByText(command, { exact: true }).waitFor()
    await page.getByText(`${origin}/seal/v1/installer.tgz`, { exact: false }).waitFor()
    await page.getByText(/^[\da-f]{64}$/).waitFor()
    await page.getByRole('button', { name: 'Copy: Send sealed requests' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`hearth-seal proxy --gateway ${origin}`)
    expect(await page.getByRole('radio').count()).toBe(0)
    await expectGoodLooks()
  })

  it('take a pasted seal, and notice a part that is missing', async () => {
    await page.getByLabel('Your seal').fill(seal.text.slice(0, -1))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This is not a seal').waitFor()
    await page.getByLabel('Your seal').fill(` ${seal.text} `)
    await page.keyboard.press('Enter')
    await toast(page, 'Seal saved')
    await page.getByText('Set up, but off.').waitFor()
    expect((await store.readSealing(organization))?.seal).toBe(seal.text)
  })

  it('show every device with what to do about it, as soon as a list is signed', async () => {
    desk = await linkSealedDevice(store, origin, 'desk')
    lab = await linkSealedDevice(store, origin, 'lab')
    await linkDevice(store, origin, { name: 'old', models: ['m'] })
    await expect
      .poll(async () => column(page, SEAL_TABLE, 'State'))
      .toStrictEqual(['Not approved', 'Not approved', 'App outdated'])
    await seal.approve(store, [desk])
    await expect
      .poll(async () => column(page, SEAL_TABLE, 'State'))
      .toStrictEqual(['Approved', 'Not approved', 'App outdated'])
    const advice = await column(page, SEAL_TABLE, 'What to do')
    expect(advice).toStrictEqual(['Nothing', expect.stringContaining('compare'), expect.stringContaining('update')])
  })

  it('are optional or required as you choose with the keyboard, and say first what stops working', async () => {
    const [owner] = await store.listMembers(organization)
    const { digest, hint } = createKey()
    const key = await store.createKey({ organization, createdBy: owner!.person, name: 'CI', digest, hint })
    await addRequest(key.id, { request: 'req_before', isSealed: false })
    await page.getByRole('radio', { name: 'Off' }).focus()
    await page.keyboard.press('ArrowDown')
    await save()
    await toast(page, 'Sealed requests are optional')
    await page.getByText('2 devices not approved.').waitFor()
    await page.getByRole('radio', { name: 'Required' }).check()
    await save()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('In the last seven days, 1 key sent plain requests: CI.').waitFor()
    await dialog.getByText("2 devices can't answer until approved.").waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await store.readSealing(organization))?.mode).toBe('optional')
    await save('Change to Required')
    await toast(page, 'Sealed requests are required')
    await page.getByText("They can't answer anything until you approve them.").waitFor()
    await expectGoodLooks()
  })

  it('are on the page of a machine too', async () => {
    const device = (await store.listDevices(organization)).find(({ name }) => name === 'lab')
    await visit(page, `/devices?open=${device!.id}`)
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('heading', { name: 'Sealed requests' }).waitFor()
    await sheet.getByText('Not approved').waitFor()
    await sheet.getByText(fingerprintOf(lab.key).words).waitFor()
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('keep the seal until you type the name of the organization', async () => {
    const next = new TestSeal()
    await visit(page, '/settings')
    await page.getByRole('button', { name: 'Replace…' }).click()
    await page.getByLabel('New seal').fill(next.text)
    expect(await findViolations(page)).toStrictEqual([])
    await confirmByName(page, ORGANIZATION, 'Replace seal')
    await page.getByText(next.text).waitFor()
    await page.getByText('Nobody has signed a list of devices yet.', { exact: false }).waitFor()
    await page.getByText('No device is approved.').waitFor()
  })

  it('are shown to members, who change nothing', async () => {
    const member = await system.newMember(page, organization, { name: 'Mia', email: 'mia@example.test' })
    await visit(member, '/settings')
    await member.getByRole('table', { name: SEAL_TABLE }).waitFor()
    await member.getByText('Required. Only sealed requests work.').waitFor()
    await member.getByText('Devices reuse prompts across the API keys here.').waitFor()
    expect(await member.getByRole('radio').count()).toBe(0)
    expect(await member.getByRole('button', { name: /Save|Replace|Rename|Delete/ }).count()).toBe(0)
  })

  it('have a lock in the list of requests', async () => {
    const [owner] = await store.listMembers(organization)
    const { digest, hint } = createKey()
    const key = await store.createKey({ organization, createdBy: owner!.person, name: 'k', digest, hint })
    await addRequest(key.id, { request: 'req_sealed', isSealed: true })
    await addRequest(key.id, { request: 'req_plain', isSealed: false })
    await visit(page, '/usage')
    await expect.poll(async () => column(page, 'Requests', 'Time')).toHaveLength(3)
    const times = await column(page, 'Requests', 'Time')
    expect(times.filter((text) => text.includes('Sealed'))).toHaveLength(1)
    expect(await page.getByTitle("Sealed: the gateway couldn't read it").count()).toBe(1)
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('load nothing from other origins and log no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})

describe('the playground', () => {
  it('is off where only sealed requests are accepted, and says so elsewhere that it seals nothing', async () => {
    await visit(page, '/playground')
    await page.getByRole('heading', { name: 'The playground is off' }).waitFor()
    expect(await page.getByLabel('Your message').count()).toBe(0)
    expect(await findViolations(page)).toStrictEqual([])
    await store.changeSealing({ organization, mode: 'optional' })
    await page.getByText('Not sealed: what you write here passes through the gateway’s memory.').waitFor()
    await page.getByLabel('Your message').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await store.changeSealing({ organization, mode: 'off' })
    await expect.poll(async () => page.getByText('Not sealed').count()).toBe(0)
  })
})
