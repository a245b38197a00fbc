import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { visit } from './harness/people.ts'
import { startFilledConsole, type FilledConsole } from './harness/start-filled-console.ts'

let filled: FilledConsole
let page: Page

beforeAll(async () => {
  filled = await startFilledConsole()
  page = filled.page
})
afterAll(async () => filled[Symbol.asyncDispose]())

const field = () => page.getByRole('combobox', { name: /^Search/ })
const highlighted = () => page.getByRole('option', { selected: true })

/** Opens the search, types, and waits until this is the highlighted result. */
async function find(typed: string, result: string | RegExp): Promise<void> {
  // The search doesn't open over another dialog, and one that was closed takes a moment to go away.
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await field().fill(typed)
  await highlighted().filter({ hasText: result }).waitFor()
}

describe('the search', () => {
  it('finds and opens pages, models, devices, keys and members', async () => {
    await visit(page, '/')
    await find('audit', 'Audit log')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()

    for (const [typed, found] of [
      ['thinkpad', "Katherine's ThinkPad"],
      ['qw8', 'qwen3:8b'],
      ['nightly', 'Nightly summaries'],
    ] as const) {
      await find(typed, found)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: found }).waitFor()
      await page.keyboard.press('Escape')
    }

    await find('hopper', 'Grace Hopper')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
  })

  it('runs actions: creates a key, changes the theme', async () => {
    await visit(page, '/')
    await find('cr k', 'Create a key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).waitFor()
    await page.keyboard.press('Escape')
    await find('dark', 'Use dark theme')
    await page.keyboard.press('Enter')
    await expect.poll(async () => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await find('system theme', 'Use system theme')
    await page.keyboard.press('Enter')
    await expect.poll(async () => page.evaluate('document.documentElement.dataset.theme')).toBeUndefined()
  })

  it('works by keyboard alone, also from a text field', async () => {
    await visit(page, '/models')
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    await highlighted().filter({ hasText: 'Home' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await highlighted().filter({ hasText: 'Models' }).waitFor()
    expect(await field().getAttribute('aria-activedescendant')).toBe(await highlighted().getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await highlighted().filter({ hasText: 'Sign out' }).waitFor()
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'detached' })
    await expect.poll(async () => page.evaluate('document.activeElement.type')).toBe('search')
  })

  it('leaves the keys to an input method while it composes a character', async () => {
    await visit(page, '/')
    await find('audit', 'Audit log')
    await field().dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    await field().dispatchEvent('keydown', { key: 'ArrowDown', isComposing: true })
    expect(await highlighted().innerText()).toContain('Audit log')
    await page.keyboard.press('Escape')
  })

  it('keeps the highlight on its command when more commands arrive', async () => {
    const released = Promise.withResolvers<void>()
    await page.route('**/overview', async (route) => {
      await released.promise
      await route.continue()
    })
    await visit(page, '/keys')
    await page.keyboard.press('Control+k')
    await highlighted().filter({ hasText: 'Home' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await highlighted().filter({ hasText: 'Sign out' }).waitFor()
    released.resolve()
    await page.getByRole('option', { name: 'Copy base URL' }).waitFor()
    expect(await highlighted().innerText()).toBe('Sign out')
    await page.unroute('**/overview')
    await page.keyboard.press('Escape')
  })

  it.each(['light', 'dark'] as const)('has no axe violations, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await visit(page, '/')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(await findViolations(page)).toStrictEqual([])
    await field().fill('a')
    await page.getByRole('group', { name: 'Devices' }).waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await field().fill('qqq zzz')
    await page.getByText('Nothing found').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await page.keyboard.press('Escape')
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(filled.system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
