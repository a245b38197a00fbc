import type { ScriptedDevice } from '@hearth/gateway/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { PAGES, violations } from './harness/every-page.ts'
import { fillOrganization, theOrganization } from './harness/fill.ts'
import { goOn, toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const DIALOGS = [
  '/models?dialog=add',
  '/devices?dialog=add',
  '/keys?dialog=add',
  '/members?dialog=add',
  '/models?open=qwen3:8b',
]
/** The names of links and buttons that show no word. Everyone knows the cross that closes something. */
const BARE = `const showsWords = ({ childNodes, clientWidth, offsetWidth }) =>
  Math.max(clientWidth, offsetWidth) > 2 && [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
[...document.querySelectorAll('a, button, summary')]
  .filter((action) => action.checkVisibility() && ![...action.querySelectorAll('*'), action].some(showsWords))
  .map((action) => action.getAttribute('aria-label') ?? action.outerHTML)
  .filter((name) => name !== 'Close')`
/** Gives each action of the page the focus, and returns those that are then under a toast. */
const COVERED = `[...document.querySelectorAll('main :is(a, button, input, select)')]
  .filter((action) => !action.closest('.toasts') && action.checkVisibility())
  .filter((action) => {
    action.focus()
    const { left, top, width, height } = action.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.toast')
  })
  .map((action) => action.getAttribute('aria-label') ?? action.textContent)`
/** Its space is reserved on the right, so that the page does not jump. */
const SCROLLBAR = 20
const BOTH = ['light', 'dark'] as const
const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }

const system = await startConsole()
let devices: ScriptedDevice[] = []
let owner: Page

beforeAll(async () => {
  owner = await system.ownersPage()
})
afterAll(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

describe('before sign-in', () => {
  it.each(BOTH)('has no axe violations before sign-in, %s', async (colorScheme) => {
    const page = await system.newPage({ colorScheme })
    expect(await violations(page, ['/', '/set-up#x', '/invitation#x', '/sign-in?error=x'])).toStrictEqual({})
  })
})

describe('an empty organization', () => {
  it.each(BOTH)('has no axe violations on any page, %s', async (colorScheme) => {
    await owner.emulateMedia({ colorScheme })
    expect(await violations(owner, [...PAGES, ...DIALOGS.slice(0, 4)])).toStrictEqual({})
  })
})

describe('a filled organization', () => {
  beforeAll(async () => {
    devices = await fillOrganization(system.store, system.origin)
  })

  it.each(BOTH)('has no axe violations on any page, %s', async (colorScheme) => {
    await owner.emulateMedia({ colorScheme })
    expect(await violations(owner, [...PAGES, ...DIALOGS])).toStrictEqual({})
  })

  describe('on a phone', () => {
    /** One walk over all pages for both tests. */
    let walk: ReturnType<typeof walkPages> | undefined

    async function walkPages(): Promise<{ tooWide: string[]; bare: string[] }> {
      const page = await system.ownersPage(PHONE)
      const [tooWide, bare]: [string[], string[]] = [[], []]
      await visit(page, '/account')
      for (const path of [...PAGES, ...DIALOGS]) {
        await goOn(page, path)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        if (width !== 375) tooWide.push(`${path}: ${String(width)}`)
        bare.push(...(await page.evaluate<string[]>(BARE)).map((name) => `${path}: ${name}`))
      }
      return { tooWide, bare }
    }

    it('fits every page without horizontal scrolling', async () => {
      walk ??= walkPages()
      expect((await walk).tooWide).toStrictEqual([])
      const page = await system.ownersPage(PHONE)
      expect(await violations(page, ['/', '/models', '/devices'])).toStrictEqual({})
    })

    it('has words on everything that can be tapped, except to close something', async () => {
      walk ??= walkPages()
      expect((await walk).bare).toStrictEqual([])
    })
  })

  it('has its menu in a drawer on a phone', async () => {
    const page = await system.ownersPage(PHONE)
    await visit(page, '/')
    await page.getByRole('button', { name: 'Menu' }).tap()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    expect(await findViolations(page)).toStrictEqual([])
    await drawer.getByRole('link', { name: 'Devices' }).tap()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    await expect.poll(async () => drawer.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).tap()
    await drawer.getByRole('button', { name: /^You: / }).tap()
    await page.getByRole('menuitemradio', { name: 'Dark' }).tap()
    await expect.poll(async () => theme(page)).toBe('dark')
  })

  it('centers pages on a wide screen, and lets the playground and Usage use all of it', async () => {
    const page = await system.ownersPage({ viewport: { width: 1920, height: 1080 } })
    const found: Record<string, number> = {}
    for (const path of ['/', '/models', '/playground', '/usage']) {
      await visit(page, path)
      const around = (await page.locator('#content').boundingBox())!
      const { x, width } = (await page.locator('#content > :last-child').boundingBox())!
      found[path] = Math.round(width)
      expect(Math.abs(x - around.x - (1920 - x - width)), path).toBeLessThan(SCROLLBAR)
    }
    expect(found['/']).toBe(1280)
    expect(found['/models']).toBe(1280)
    expect(found['/playground']).toBeGreaterThan(1500)
    expect(found['/usage']).toBeGreaterThan(1500)
  })

  it.each([1_440, 1_024, 390])('has toasts that cover no action on a screen %i pixels wide', async (width) => {
    const page = await system.ownersPage({ viewport: { width, height: 700 } })
    const organization = await theOrganization(system.store)
    await system.store.disableModel({ organization, name: 'qwen3:8b' })
    await visit(page, '/models')
    const row = page.getByRole('row', { name: /qwen3:8b/ })
    await row.getByRole('button', { name: 'Enable' }).click()
    await toast(page, /qwen3:8b/)
    expect(await page.evaluate(COVERED)).toStrictEqual([])
    if (width === 390) return
    const { y, height } = (await page.locator('main').boundingBox())!
    expect((await page.locator('.toast').last().boundingBox())!.y).toBeGreaterThanOrEqual(y + height)
  })

  it('says that it is loading before its code has arrived', async () => {
    const page = await system.newPage()
    await page.route('**/assets/*', async (route) => route.abort())
    await page.goto('/')
    await page.getByRole('status').getByText('Loading Hearth').waitFor()
  })

  it('follows the system theme until you choose one, and keeps your choice', async () => {
    const page = await system.ownersPage({ colorScheme: 'dark' })
    await visit(page, '/')
    expect(await theme(page)).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await theme(page)).toBe('light')
    await page.getByRole('button', { name: /^You: / }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(async () => theme(page)).toBe('dark')
    // Before any script of the console runs.
    await page.route('**/assets/*.js', async (route) => route.abort())
    await page.reload({ waitUntil: 'commit' })
    await page.locator('#root').waitFor({ state: 'attached' })
    expect(await theme(page)).toBe('dark')
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})

/** The theme on screen. */
async function theme(page: Page): Promise<'light' | 'dark'> {
  const color = String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
  const [red = 0] = (/\d+/.exec(color) ?? []).map(Number)
  return red > 128 ? 'light' : 'dark'
}
