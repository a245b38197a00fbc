// `npm run screenshots`: takes a picture of every page in both themes, empty and filled, on a desktop and a phone.

import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { fillOrganization } from './harness/fill.ts'
import { startConsole, type ConsoleSystem } from './harness/start-console.ts'

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url))
const DESK = { width: 1360, height: 900 }
const PHONE = { width: 390, height: 844 }
const SIZES = {
  desk: { viewport: DESK },
  phone: { viewport: PHONE, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}

const PAGES = {
  start: '/',
  models: '/models',
  devices: '/devices',
  keys: '/keys',
  members: '/members',
  playground: '/playground',
  usage: '/usage',
  audit: '/audit',
  help: '/help',
  'help-page': '/help/clients/langchain',
  reference: '/help/api/public',
  settings: '/settings',
  account: '/account',
  approve: '/devices/approve',
  'dialog-device': '/devices?dialog=add',
  'dialog-model': '/models?dialog=add',
  'dialog-key': '/keys?dialog=add',
  'dialog-member': '/members?dialog=add',
}

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
await using system = await startConsole()
await photographOutside(system)
await photographInside(system, 'empty')
const devices = await fillOrganization(system.store, system.origin)
await photographInside(system, 'filled')
await photographSheets(system)
await photographMoments(system)
for (const device of devices) await device[Symbol.asyncDispose]()

async function photographOutside(console: ConsoleSystem): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await console.newPage({ colorScheme, viewport: DESK })
    await page.goto('/')
    await take(page, `not-set-up-${colorScheme}`)
    await page.goto(console.setUpLink)
    await take(page, `set-up-${colorScheme}`)
    await page.context().close()
  }
}

async function photographInside(console: ConsoleSystem, state: 'empty' | 'filled'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, screen] of Object.entries(SIZES)) {
      const page = await console.ownersPage({ colorScheme, ...screen })
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(path)
        await take(page, `${name}-${state}-${size}-${colorScheme}`)
      }
      await page.context().close()
    }
}

async function photographSheets(console: ConsoleSystem): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await console.ownersPage({ colorScheme, viewport: DESK })
    for (const [path, name] of [
      ['/models', 'qwen3:8b'],
      ['/devices', "Katherine's ThinkPad"],
    ] as const) {
      await page.goto(path)
      await page.getByRole('button', { name, exact: true }).click()
      await take(page, `sheet${path.replace('/', '-')}-${colorScheme}`)
    }
    await page.context().close()
    const visitor = await console.newPage({ colorScheme, viewport: DESK })
    await visitor.goto('/keys')
    await take(visitor, `sign-in-${colorScheme}`)
    await visitor.context().close()
  }
}

/** Dialogs and other states between pages. */
async function photographMoments(console: ConsoleSystem): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await console.ownersPage({ colorScheme, viewport: DESK })
    await page.goto('/keys?dialog=add')
    await page.getByLabel('Name').fill('Photographed')
    await page.getByLabel('Selected models only').check()
    await page.locator('summary').click()
    await take(page, `key-form-${colorScheme}`)
    await page.getByLabel('All models').check()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: "I've copied it" }).waitFor()
    await take(page, `key-made-${colorScheme}`)
    await page.goto('/models')
    await page.getByRole('button', { name: 'Actions for qwen3:8b' }).click()
    await take(page, `menu-${colorScheme}`)
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await take(page, `confirm-${colorScheme}`)
    await page.goto('/devices?dialog=add')
    await page.getByRole('button', { name: 'Create command' }).click()
    await page.getByText('This command is shown only once').waitFor()
    await take(page, `command-${colorScheme}`)
    await page.goto('/')
    await page.locator('h1').waitFor()
    await page.keyboard.press('?')
    await take(page, `shortcuts-${colorScheme}`)
    await page.goto('/no-such-page')
    await take(page, `not-found-${colorScheme}`)
    await photographCode(page, console.origin, colorScheme)
    await page.context().close()
  }
}

async function photographCode(page: Page, origin: string, colorScheme: string): Promise<void> {
  const response = await fetch(`${origin}/device/v1/authorize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Workshop PC', app: '0.1.0', system: 'win32 x64' }),
  })
  const { user_code: code } = (await response.json()) as { user_code: string }
  await page.goto('/device')
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('they are not verified').waitFor()
  await take(page, `asking-${colorScheme}`)
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('load')
  await page.locator('h1').first().waitFor()
  await page.locator('.waiting').first().waitFor({ state: 'detached' })
  // Lists arrive a moment after their page.
  await page.waitForTimeout(400)
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: name.includes('phone') })
  process.stdout.write(`${name}.png\n`)
}
