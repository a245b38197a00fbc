import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theOrganization } from './harness/fill.ts'
import { column, toast, visit } from './harness/people.ts'
import { ORGANIZATION, OWNER, startConsole } from './harness/start-console.ts'

const system = await startConsole({ PEOPLE_MAKE_ORGANIZATIONS: 'true' })
let page: Page

beforeAll(async () => {
  page = await system.ownersPage({ timezoneId: 'Asia/Tokyo' })
})
afterAll(async () => system[Symbol.asyncDispose]())

describe('the keyboard', () => {
  it('opens pages with g and a letter', async () => {
    await visit(page, '/')
    for (const [key, title] of [
      ['m', 'Models'],
      ['d', 'Devices'],
      ['k', 'Keys'],
      ['e', 'Members'],
      ['a', 'Audit log'],
      ['s', 'Settings'],
      ['h', 'Home'],
    ] as const) {
      // Together, because the second key has to follow soon.
      await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)])
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
  })

  it('shows its shortcuts, and does nothing while you type', async () => {
    await visit(page, '/audit')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Go to Models').waitFor()
    await page.getByRole('dialog').getByText('Playground: edit your last message').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('gm?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('gm?')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Audit log')
  })

  it('moves the focus into a dialog and back', async () => {
    await visit(page, '/keys')
    await page.getByRole('button', { name: 'Create a key' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(
      await page.evaluate(
        'document.activeElement.closest("dialog")?.querySelector("input") === document.activeElement',
      ),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => page.evaluate('document.activeElement.textContent')).toBe('Create a key')
  })

  it('skips the menu', async () => {
    await visit(page, '/keys')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(async () => page.evaluate('document.activeElement.textContent')).toBe('Create a key')
  })
})

describe('times', () => {
  it("are in the viewer's time zone", async () => {
    await visit(page, '/members')
    const [member] = await system.store.listMembers(await theOrganization(system.store))
    const there = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'long',
      timeZone: 'Asia/Tokyo',
    }).format(member!.joinedAt)
    expect(await page.getByRole('row', { name: /Ada/ }).locator('time').getAttribute('title')).toBe(there)
  })
})

describe('two tabs', () => {
  it('shows changes from another tab', async () => {
    const other = await page.context().newPage()
    await visit(other, '/models')
    await visit(page, '/models')
    const organization = await theOrganization(system.store)
    await system.store.enableModel({ organization, name: 'made-elsewhere' })
    await expect.poll(async () => column(page, 'Models', 'Model')).toContain('made-elsewhere')
    await other.bringToFront()
    await expect.poll(async () => column(other, 'Models', 'Model')).toContain('made-elsewhere')
    await other.close()
  })
})

describe('organizations', () => {
  it('are created and switched in the menu, and renamed on the settings page', async () => {
    await visit(page, '/')
    await page.getByRole('button', { name: /^Organization: / }).click()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await page.getByRole('textbox').fill('Difference Engines')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('button', { name: 'Organization: Difference Engines' }).click()
    await page.getByRole('menuitem', { name: 'Rename, leave or delete' }).click()
    await page.getByRole('button', { name: 'Rename…' }).click()
    await page.getByRole('textbox').fill('Difference Engines Ltd')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await toast(page, 'Organization renamed')
    await page.getByRole('button', { name: 'Organization: Difference Engines Ltd' }).click()
    await page.getByRole('menuitemradio', { name: ORGANIZATION }).click()
    await page.getByRole('button', { name: `Organization: ${ORGANIZATION}` }).waitFor()
  })

  it('have settings that owners change on a page', async () => {
    const form = page.locator('form', { hasText: 'Separate prefix reuse by key' })
    const box = form.getByRole('checkbox', { name: 'Separate prefix reuse by key' })
    const save = form.getByRole('button', { name: 'Save' })
    await visit(page, '/')
    await page.getByRole('link', { name: 'Settings' }).click()
    expect(await box.isChecked()).toBe(false)
    await box.check()
    await save.click()
    await toast(page, 'Settings saved')
    await visit(page, '/settings')
    await expect.poll(async () => box.isChecked()).toBe(true)
    await box.uncheck()
    await save.click()
    await expect.poll(async () => save.isDisabled()).toBe(true)
    await visit(page, '/settings')
    expect(await box.isChecked()).toBe(false)
  })

  it('are chosen per tab', async () => {
    const other = await page.context().newPage()
    await visit(other, '/')
    await other.getByRole('button', { name: /^Organization: / }).click()
    await other.getByRole('menuitemradio', { name: 'Difference Engines Ltd' }).click()
    await other.getByRole('button', { name: 'Organization: Difference Engines Ltd' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: `Organization: ${ORGANIZATION}` }).waitFor()
    await other.close()
  })
})

describe('failures', () => {
  it('asks you to sign in when the session ends, and continues on the same page', async () => {
    await visit(page, '/keys')
    await system.call(page, '/sign-out', {})
    // The page listens for changes, and is told that it may not any more.
    await page.getByText('Your session has ended').waitFor()
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  })

  it('reports an unreachable gateway, keeps its data, and recovers by itself', async () => {
    await visit(page, '/models')
    await system.stopGateway()
    await page.getByText("Can't reach the gateway. Data may be out of date").waitFor()
    expect(await column(page, 'Models', 'Model')).toStrictEqual(['made-elsewhere'])
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText("Couldn't load this page").waitFor()
    await system.startGatewayAgain()
    await page.getByText("Can't reach the gateway. Data may be out of date").waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
  })

  it('reports a database that does not answer, and recovers by itself', async () => {
    const listening = page.waitForResponse('**/events')
    await visit(page, '/models')
    await listening
    const banner = page.getByText("Can't reach the database. Requests in progress and keys in use keep working")
    await system.withSilentDatabase(async () => {
      await banner.waitFor()
      expect(await column(page, 'Models', 'Model')).toStrictEqual(['made-elsewhere'])
    })
    await banner.waitFor({ state: 'detached' })
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
