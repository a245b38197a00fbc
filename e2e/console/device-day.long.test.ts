import { FEATURES } from '@hearth/protocol'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { linkDevice, theOrganization } from './harness/fill.ts'
import { column, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'
import { Playground } from './harness/start-playground.ts'

const system = await startConsole({ USAGE_FLUSH_MS: '200' })
afterAll(async () => system[Symbol.asyncDispose]())
const page = await system.ownersPage()

const MODEL = { name: 'able', features: [...FEATURES], slots: 4, contextLength: 32_768, digest: 'sha256:same' }
const MACHINE = {
  model: 'ThinkStation P5',
  system: 'Ubuntu 24.04',
  processor: 'Intel Xeon w5-2455X',
  cores: 24,
  memoryBytes: 64 * 1024 ** 3,
  gpu: 'NVIDIA RTX 6000 Ada',
}
const SENTENCE = /continued on vm after attic went away, (under )?\d+\.\d\ss/
const ENERGY = { parts: ['gpu' as const], watts: 312.4, wattHoursToday: 0.5 }

async function openDevice(name: string, on: Page = page) {
  await visit(on, '/devices')
  await on.getByRole('button', { name, exact: true }).click()
  return on.getByRole('dialog', { name })
}

function figure(on: Page, title: string) {
  return on.locator('dl > div').filter({ has: on.getByText(title, { exact: true }) })
}

/** The first device that is asked is attic, and vm joins while it answers. */
async function takeOver(): Promise<void> {
  const organization = await theOrganization(system.store)
  await system.store.enableModel({ organization, name: 'able' })
  const gone = Promise.withResolvers<void>()
  const plan = { text: ['One ', 'two ', 'three ', 'four'], reportsTokens: true }
  const stall = { at: 2, until: gone.promise }
  const attic = await linkDevice(system.store, system.origin, {
    name: 'attic',
    models: [MODEL],
    plan: { ...plan, stall, crashAt: 2 },
  })
  const playground = new Playground(system, page, attic)
  await visit(page, '/playground?open=able')
  await playground.say('Count')
  await playground.answers.getByText('One two').waitFor()
  const vm = await linkDevice(system.store, system.origin, {
    name: 'vm',
    models: [MODEL],
    plan,
    extraFields: { machine: MACHINE },
  })
  vm.send({ type: 'energy', energy: ENERGY })
  gone.resolve()
  await playground.answers.getByText('One two three four').waitFor()
}

it('a reply that outlives its device says who continued it, under the answer and in the list of requests', async () => {
  await takeOver()
  await page.getByRole('article', { name: 'Response' }).getByText(SENTENCE).waitFor()
  expect(await findViolations(page)).toStrictEqual([])
  await visit(page, '/usage')
  for (const width of [1_024, 390, 1_440]) {
    await page.setViewportSize({ width, height: 900 })
    const cell = page.getByRole('table', { name: 'Requests' }).locator('.request-device', { hasText: SENTENCE })
    await cell.waitFor()
    await cell.scrollIntoViewIfNeeded()
    expect(await cell.evaluate((box) => box.scrollHeight <= box.clientHeight)).toBe(true)
  }
  expect(await findViolations(page)).toStrictEqual([])
})

describe('the page of a device', () => {
  it('says what it did today, what it continued for others, and the electricity it takes', async () => {
    const sheet = await openDevice('vm')
    await figure(page, 'Requests').getByText('1', { exact: true }).waitFor()
    await figure(page, 'Continued for others').getByText('1', { exact: true }).waitFor()
    await sheet.getByText('ThinkStation P5 · NVIDIA RTX 6000 Ada · 64 GB').waitFor()
    await figure(page, 'Power now').getByText('312 W').waitFor()
    await figure(page, 'Power now').getByText('GPU only').waitFor()
    await figure(page, 'Energy').getByText('0.5 Wh').waitFor()
    await figure(page, 'Per million tokens')
      .getByText(/^[\d.]+ kWh$/)
      .waitFor()
    for (const fact of ['ThinkStation P5', 'Intel Xeon w5-2455X (24 cores)', '64 GB', 'NVIDIA RTX 6000 Ada'])
      await sheet.getByText(fact, { exact: true }).waitFor()
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('leads to the list of its requests', async () => {
    const sheet = await openDevice('vm')
    await sheet.getByRole('link', { name: 'Its requests' }).click()
    await expect.poll(async () => column(page, 'Requests', 'Device')).toEqual([expect.stringContaining('vm')])
    expect(await page.getByLabel('Device', { exact: true }).locator('option:checked').innerText()).toBe('vm')
    const heading = page.getByRole('heading', { name: 'Requests', exact: true })
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(page.viewportSize()!.height)
  })

  it('fits a phone in the dark', async () => {
    const viewport = { width: 390, height: 844 }
    const phone = await system.ownersPage({ viewport, colorScheme: 'dark', isMobile: true, hasTouch: true })
    const sheet = await openDevice('vm', phone)
    await figure(phone, 'Power now').waitFor()
    expect(await sheet.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await findViolations(phone)).toStrictEqual([])
  })

  it('stops showing energy when the device can’t read it any more', async () => {
    const device = await linkDevice(system.store, system.origin, { name: 'cellar', models: [MODEL] })
    device.send({ type: 'energy', energy: { ...ENERGY, parts: ['processor', 'gpu'] } })
    await openDevice('cellar')
    await figure(page, 'Power now').getByText('processor and GPU').waitFor()
    await page.getByText('No requests since midnight UTC.').waitFor()
    device.send({ type: 'energy' })
    await figure(page, 'Power now').waitFor({ state: 'detached' })
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
