// Visits every page of the console with a real gateway and a real device, in light, in dark and on a phone. The device's model is the tiny one
// of the tests, which knows a few capitals.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { startDeviceProcess, type DeviceProcess } from '../../harness/processes/device-process.ts'
import { TINY_PATH } from '../../harness/tiny-model.ts'
import { fillOrganization, theOrganization, tokenOf } from '../harness/fill.ts'
import { startConsole, type ConsoleSystem } from '../harness/start-console.ts'

const MODEL = { path: TINY_PATH, name: 'hearth-tiny' }
const DEVICE = "Ada's workstation"
const SETTLED_MS = 700
const CHAT_MS = 20_000

const DESK = { viewport: { width: 1360, height: 900 }, timezoneId: 'UTC' }
export const LOOKS = {
  light: { colorScheme: 'light', ...DESK },
  dark: { colorScheme: 'dark', ...DESK },
  phone: {
    colorScheme: 'light',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 1.5,
    timezoneId: 'UTC',
  },
} as const satisfies Record<string, BrowserContextOptions>
export type Look = keyof typeof LOOKS

const PAGES = {
  start: '/',
  models: '/models',
  'models-add': '/models?dialog=add',
  devices: '/devices',
  'devices-add': '/devices?dialog=add',
  keys: '/keys',
  'keys-add': '/keys?dialog=add',
  members: '/members',
  playground: `/playground?open=${MODEL.name}`,
  usage: '/usage',
  audit: '/audit',
  reference: '/help/api/public',
  settings: '/settings',
  account: '/account',
}

/** Called on every page once it has settled. */
export type See = (page: Page, name: string, look: Look) => Promise<void>

export async function walkPages(looks: readonly Look[], see: See): Promise<void> {
  await using system = await startConsole({ USAGE_FLUSH_MS: '100' })
  const walk = new Walk(system, async (page, name, look) => {
    await settle(page)
    await see(page, name, look)
  })
  for (const look of looks) await walk.setUp(look)
  for (const look of looks) await walk.pages(look, { 'start-empty': '/' })
  const scripted = await fillOrganization(system.store, system.origin)
  await using device = await startRealDevice(system)
  for (const look of looks) await walk.pages(look, PAGES)
  for (const look of looks) await walk.details(look)
  await device.kill()
  for (const one of scripted) await one[Symbol.asyncDispose]()
}

class Walk {
  readonly #console: ConsoleSystem
  readonly #see: See

  constructor(console: ConsoleSystem, see: See) {
    this.#console = console
    this.#see = see
  }

  async setUp(look: Look): Promise<void> {
    const page = await this.#console.newPage(LOOKS[look])
    await visit(page, this.#console.setUpLink)
    await this.#see(page, 'set-up', look)
    await page.context().close()
  }

  async pages(look: Look, pages: Record<string, string>): Promise<void> {
    const page = await this.#console.ownersPage(LOOKS[look])
    for (const [name, path] of Object.entries(pages)) {
      await visit(page, path)
      if (name === 'playground') await chat(page)
      if (name === 'usage') await waitForUsage(page)
      await this.#see(page, name, look)
    }
    await page.context().close()
  }

  /** Sheets, the search and the sign-in page. */
  async details(look: Look): Promise<void> {
    const page = await this.#console.ownersPage(LOOKS[look])
    await visit(page, `/models?open=${MODEL.name}`)
    await page.getByRole('dialog').waitFor()
    await this.#see(page, 'model-details', look)
    await visit(page, '/devices')
    await page.getByRole('button', { name: DEVICE, exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await this.#see(page, 'device-details', look)
    await visit(page, '/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('qwen')
    await page.getByRole('group', { name: 'Models' }).waitFor()
    await this.#see(page, 'search', look)
    await page.context().close()
    const visitor = await this.#console.newPage(LOOKS[look])
    await visit(visitor, '/keys')
    await this.#see(visitor, 'sign-in', look)
    await visitor.context().close()
  }
}

async function startRealDevice({ store, origin }: ConsoleSystem): Promise<DeviceProcess> {
  const organization = await theOrganization(store)
  await store.enableModel({ organization, name: MODEL.name })
  return startDeviceProcess({ origin, token: await tokenOf(store), model: MODEL, name: DEVICE })
}

/** Small models sometimes don't stop; half a response is as good a picture. */
async function chat(page: Page): Promise<void> {
  await page.getByLabel('Your message').fill('What is the capital of Italy?')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Response' }).last().waitFor()
  await page
    .getByText(/Complete|Reached the token limit/)
    .last()
    .waitFor({ timeout: CHAT_MS })
    .catch(() => {})
}

/** The request from the playground is listed a moment later, and charts are loaded after their page. */
async function waitForUsage(page: Page): Promise<void> {
  const listed = page.getByRole('table', { name: 'Requests' }).getByText(MODEL.name)
  while ((await listed.count()) === 0) await page.reload({ waitUntil: 'networkidle' })
  await page.getByRole('application').first().waitFor()
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page.locator('.waiting').first().waitFor({ state: 'detached' })
}

async function settle(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready')
  // Lists and charts arrive a moment after their page.
  await page.waitForTimeout(SETTLED_MS)
}
