// `npm run pictures`: takes the pictures in docs/pictures, of every page in light, dark and on a phone, with a real gateway and a real device.
// Its model is the tiny one of the tests, which knows a few capitals.

import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createEnrolmentToken } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { startDeviceProcess, type DeviceProcess } from '../harness/processes/device-process.ts'
import { fillOrganization, theOrganization } from './harness/fill.ts'
import { startConsole, type ConsoleSystem } from './harness/start-console.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const MODEL = { path: TINY_PATH, name: 'hearth-tiny' }
const HOUR_MS = 3_600_000
/** Good enough to read, and at most 100 KB. */
const QUALITY = 72
const SETTLED_MS = 700
const CHAT_MS = 20_000

const DESK = { viewport: { width: 1360, height: 900 } }
const LOOKS = {
  light: { colorScheme: 'light', ...DESK },
  dark: { colorScheme: 'dark', ...DESK },
  phone: {
    colorScheme: 'light',
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 1.5,
  },
} as const
type Look = keyof typeof LOOKS

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
  reference: '/reference',
  account: '/account',
}

await mkdir(FOLDER, { recursive: true })
await using system = await startConsole()
await eachLook(async (look) => photographSetUp(system, look))
await eachLook(async (look) => photographPages(system, look, { 'start-empty': '/' }))
const scripted = await fillOrganization(system.store, system.origin)
{
  await using device = await startRealDevice(system)
  await eachLook(async (look) => photographPages(system, look, PAGES))
  await eachLook(async (look) => photographSheets(system, look))
  await device.kill()
}
for (const device of scripted) await device[Symbol.asyncDispose]()

async function eachLook(photograph: (look: Look) => Promise<void>): Promise<void> {
  for (const look of Object.keys(LOOKS) as Look[]) await photograph(look)
}

async function startRealDevice({ store, origin }: ConsoleSystem): Promise<DeviceProcess> {
  const { key: token, digest } = createEnrolmentToken()
  const organization = await theOrganization(store)
  await store.enableModel({ organization, name: MODEL.name })
  await store.createEnrolment({ organization, digest, expiresAt: new Date(Date.now() + HOUR_MS) })
  return startDeviceProcess({ origin, token, model: MODEL, name: "Ada's workstation" })
}

async function photographSetUp(console: ConsoleSystem, look: Look): Promise<void> {
  if (await console.store.isSetUp()) return
  const page = await console.newPage(LOOKS[look])
  await visit(page, console.setUpLink)
  await take(page, 'set-up', look)
  await page.context().close()
}

async function photographPages(console: ConsoleSystem, look: Look, pages: Record<string, string>): Promise<void> {
  const page = await console.ownersPage(LOOKS[look])
  for (const [name, path] of Object.entries(pages)) {
    await visit(page, path)
    if (name === 'playground') await chat(page)
    await take(page, name, look)
  }
  await page.context().close()
}

/** Small models sometimes go on and on; half a response is as good a picture. */
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

/** Details, the search and the sign-in page. */
async function photographSheets(console: ConsoleSystem, look: Look): Promise<void> {
  const page = await console.ownersPage(LOOKS[look])
  await visit(page, `/models?open=${MODEL.name}`)
  await page.getByRole('dialog').waitFor()
  await take(page, 'model-details', look)
  await visit(page, '/devices')
  await page.getByRole('button', { name: "Ada's workstation", exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await take(page, 'device-details', look)
  await visit(page, '/')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('q')
  await page.getByRole('group', { name: 'Models' }).waitFor()
  await take(page, 'search', look)
  await page.context().close()
  const visitor = await console.newPage(LOOKS[look])
  await visit(visitor, '/keys')
  await take(visitor, 'sign-in', look)
  await visitor.context().close()
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page.locator('.waiting').first().waitFor({ state: 'detached' })
}

// Playwright itself knows no WebP, which is half the size of its other formats.
async function take(page: Page, name: string, look: Look): Promise<void> {
  await page.evaluate('document.fonts.ready')
  // Lists and charts arrive a moment after their page.
  await page.waitForTimeout(SETTLED_MS)
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await browser.detach()
  await writeFile(`${FOLDER}/${name}-${look}.webp`, Buffer.from(data, 'base64'))
  process.stdout.write(`${name}-${look}.webp\n`)
}
