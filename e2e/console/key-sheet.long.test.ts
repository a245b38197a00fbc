import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManyKeys } from '@hearth/gateway/testing'
import { findViolations } from './harness/axe.ts'
import { theOrganization } from './harness/fill.ts'
import { toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const MANY = 450
const system = await startConsole({ USAGE_FLUSH_MS: '100' })
let page: Page
let organization: string
let secret: string

beforeAll(async () => {
  page = await system.ownersPage()
  organization = await theOrganization(system.store)
  await system.store.enableModel({ organization, name: 'able' })
  secret = await system.newKey(page, organization, 'Support chat')
})
afterAll(async () => system[Symbol.asyncDispose]())

async function ask(body: object): Promise<number> {
  return (await system.client(secret).post(body)).status
}

async function modelsStatus(key: string): Promise<number> {
  return (await system.client(key).call('/models')).status
}

async function openKey(name: string): Promise<void> {
  await visit(page, '/keys')
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByText('Last 30 days').waitFor()
}

describe('a key', () => {
  it('is renamed and limited, and the limit counts for the next request', async () => {
    await openKey('Support chat')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Help desk')
    await dialog.getByLabel('Requests per minute').fill('1')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await toast(page, 'Key saved')
    await ask({})
    expect(await ask({})).toBe(429)
    await dialog.getByLabel('Requests per minute').fill('')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => ask({})).toBe(400)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Help desk', exact: true }).waitFor()
  })

  it('is disabled and enabled again', async () => {
    await openKey('Help desk')
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('get a 401 until you enable it').waitFor()
    expect(await modelsStatus(secret)).toBe(401)
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await toast(page, 'Key enabled')
    expect(await modelsStatus(secret)).toBe(200)
  })

  it('is rotated: the new secret comes with a command that runs, and both work until the old one is stopped', async () => {
    await openKey('Help desk')
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByLabel('Old secret keeps working').selectOption({ label: 'For 7 days' })
    await page.getByRole('button', { name: 'Rotate key' }).click()
    const fresh = (await page.getByLabel('Key', { exact: true }).innerText()).trim()
    const command = await page.getByLabel('First request', { exact: true }).innerText()
    expect(command).toContain(`Authorization: Bearer ${fresh}`)
    expect(command).toContain('"model": "able"')
    expect([await modelsStatus(secret), await modelsStatus(fresh)]).toStrictEqual([200, 200])
    await page.getByRole('button', { name: "I've copied it" }).click()
    await openKey('Help desk')
    await page
      .getByRole('dialog')
      .getByText(`…${secret.slice(-4)}`)
      .waitFor()
    await page.getByRole('button', { name: 'Stop it now' }).click()
    await toast(page, 'Old secret stopped')
    expect([await modelsStatus(secret), await modelsStatus(fresh)]).toStrictEqual([401, 200])
    secret = fresh
  })
})

describe('usage', () => {
  beforeAll(async () => {
    const messages = [{ role: 'user', content: 'my secret prompt' }]
    for (let count = 0; count < 10; count++) await ask({ model: 'no-such-model', messages })
  })

  it('shows refused requests by code, and the requests behind a code', async () => {
    await visit(page, '/usage')
    const failed = page.getByRole('region', { name: 'Failed requests by code' })
    await failed.getByRole('button', { name: /model_not_found.*404.*10/s }).click()
    const table = page.getByRole('table', { name: 'Requests' })
    await expect.poll(async () => table.getByText('model_not_found').count()).toBe(10)
    expect(await table.getByText('missing_required_parameter').count()).toBe(0)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await table.getByText('missing_required_parameter').first().waitFor()
  })

  it('lists requests without any content', async () => {
    await visit(page, '/usage')
    await page.getByRole('table', { name: 'Requests' }).getByText('Help desk').first().waitFor()
    const content = await page.content()
    expect([content.includes('my secret prompt'), content.includes('no-such-model')]).toStrictEqual([false, false])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page), colorScheme).toStrictEqual([])
    }
  })
})

describe('many keys', () => {
  beforeAll(async () => {
    const [owner] = await system.store.listMembers(organization)
    await addManyKeys(`embedded:${system.folder}`, { organization, createdBy: owner!.person, keys: MANY })
  })

  it('renders and fetches only the rows on the screen, and the others when they are scrolled to', async () => {
    const fetched: string[] = []
    page.on('response', (response) => {
      if (response.url().includes('/keys?')) fetched.push(new URL(response.url()).searchParams.get('offset') ?? '')
    })
    await visit(page, '/keys')
    const table = page.getByRole('table', { name: 'Keys' })
    await table.getByText('Key 0449').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(MANY + 2))
    expect(await table.locator('[data-row]').count()).toBeLessThan(100)
    expect(fetched.every((offset) => offset === '0')).toBe(true)
    await page.evaluate('document.querySelector(".virtual-table tbody tr:last-child").scrollIntoView(false)')
    await table.getByText('Key 0000').waitFor()
    expect(await table.locator('[data-row]').count()).toBeLessThan(100)
    expect(fetched).toContain('400')
  })

  it('finds a key among all of them', async () => {
    await visit(page, '/keys')
    await page.getByLabel('Filter keys').fill('0007')
    const table = page.getByRole('table', { name: 'Keys' })
    await table.getByText('Key 0007').waitFor()
    await expect.poll(async () => table.locator('[data-row]').count()).toBe(1)
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
