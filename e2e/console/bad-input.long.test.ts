import { addMany, type ScriptedDevice } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkDevice, theOrganization } from './harness/fill.ts'
import { column, rowCount, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const HOSTILE = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "'; window.hacked=1; '",
  '![beacon](https://evil.example/beacon.png)',
  '[click](javascript:window.hacked=1)',
  '{{constructor.constructor("window.hacked=1")()}}',
  `good\u202Egnp.exe`,
  `zero\u200Bwidth`,
  `line\u2028break`,
  'x'.repeat(200),
  'Z̸̧̛͓̫̙͖̼̦͇̈́̀̓̃͗̕͝a̷̢̨̛̝̺̘̤̍̓l̶g̴o̸',
]

const system = await startConsole()
let page: Page
const devices: ScriptedDevice[] = []

beforeAll(async () => {
  page = await system.ownersPage()
})
afterAll(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

async function expectHarmless(): Promise<void> {
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  expect(await page.locator('#root img, #root script, #root iframe, a[href^="javascript:"]').count()).toBe(0)
  expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
}

describe('hostile names', () => {
  beforeAll(async () => {
    const organization = await theOrganization(system.store)
    devices.push(await linkDevice(system.store, system.origin, { name: 'carrier', models: HOSTILE }))
    const [device] = await system.store.listDevices(organization)
    await system.store.changeDevice({ organization, device: device!.id, name: HOSTILE[0]! })
    for (const [index, name] of HOSTILE.entries()) {
      await system.store.enableModel({ organization, name })
      await system.store.addMember({ organization, name, email: `hostile-${index}@example.test`, role: 'member' })
    }
  })

  it.each(['/', '/models', '/devices', '/keys', '/members', '/audit', '/playground', '/usage'])(
    'are plain text on %s',
    async (path) => {
      await visit(page, path)
      await expectHarmless()
    },
  )

  it('show invisible characters as code points, and keep their direction to themselves', async () => {
    await visit(page, '/models')
    const names = await column(page, 'Models', 'Model')
    expect(names).toContain('goodU+202Egnp.exe')
    expect(names).toContain('zeroU+200Bwidth')
    expect(names).toContain(HOSTILE[0])
    expect(await page.locator('tbody bdi').count()).toBe(HOSTILE.length)
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  })

  it('can be confirmed by typing their visible characters', async () => {
    await visit(page, `/models?open=${encodeURIComponent(`zero\u200Bwidth`)}`)
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Remove…' }).click()
    const dialog = page.getByRole('dialog').last()
    await dialog.getByRole('textbox').fill('zerowidth')
    await dialog.getByRole('button', { name: 'Remove model' }).click()
    await page.getByRole('dialog', { name: /^Remove/ }).waitFor({ state: 'detached' })
    await expectHarmless()
  })

  it('are never part of a command to copy', async () => {
    await visit(page, '/')
    const example = page.getByLabel('curl example', { exact: true })
    await expect.poll(async () => example.innerText()).toContain(`"model": "${'x'.repeat(200)}"`)
  })
})

describe('5,000 models and 2,000 devices', () => {
  beforeAll(async () => {
    const organization = await theOrganization(system.store)
    await addMany(system.folder, { organization, models: 5_000, devices: 2_000 })
  })

  it('are shown in pages of 100, and filtered and sorted as a whole', async () => {
    await visit(page, '/models')
    expect(await rowCount(page, 'Models')).toBe(100)
    await page.getByText(/1–100 of 5,0\d\d/).waitFor()
    await page.getByRole('searchbox').fill('many-4321')
    await expect.poll(async () => column(page, 'Models', 'Model')).toStrictEqual(['many-4321'])
    await page.getByRole('searchbox').fill('many')
    await page.getByRole('columnheader', { name: 'Model' }).getByRole('button').click()
    await expect.poll(async () => (await column(page, 'Models', 'Model'))[0]).toBe('many-4999')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(async () => (await column(page, 'Models', 'Model'))[0]).toBe('many-4899')
    await visit(page, '/devices')
    expect(await rowCount(page, 'Devices')).toBe(100)
    await page.getByRole('searchbox').fill('machine 1234')
    await expect.poll(async () => column(page, 'Devices', 'Device')).toStrictEqual(['machine 1234'])
  })

  it('leave every other page usable', async () => {
    for (const path of ['/', '/keys?dialog=add', '/members', '/audit']) {
      await visit(page, path)
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(6_000)
    }
    await visit(page, '/keys?dialog=add')
    await page.getByLabel('Selected models only').check()
    await page.getByRole('dialog').getByRole('searchbox').fill('many-77')
    await page.getByLabel('many-77', { exact: true }).check()
    await page.getByText('1 selected.').waitFor()
  })
})
