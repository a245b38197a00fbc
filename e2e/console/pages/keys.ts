import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { chooseInMenu, column, confirmByName, toast, visit } from '../harness/people.ts'
import type { ConsoleSystem } from '../harness/start-console.ts'

export function keysPage(system: ConsoleSystem): void {
  let page: Page
  let organization: string

  beforeAll(async () => {
    ;({ page, organization } = await system.newOrganization('of-keys@example.test'))
    for (const name of ['qwen3:8b', 'gemma-3']) await system.store.enableModel({ organization, name })
  })

  async function models(secret: string): Promise<{ status: number; names: string[] }> {
    const { status, json } = await system.client(secret).call('/models')
    return { status, names: ((json as { data?: { id: string }[] }).data ?? []).map(({ id }) => id) }
  }

  async function create(name: string): Promise<void> {
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
  }

  async function readSecret(): Promise<string> {
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = await page.getByLabel('Key', { exact: true }).innerText()
    return secret.trim()
  }

  let secret: string

  it('explains keys while there are none, shows a new one once, and it works immediately', async () => {
    await visit(page, '/keys')
    await page.getByText('No keys yet').waitFor()
    await create('Support chat')
    secret = await readSecret()
    expect((await models(secret)).names.toSorted()).toStrictEqual(['gemma-3', 'qwen3:8b'])
    await page.getByRole('button', { name: 'Copy: Key', exact: true }).click()
    await expect.poll(async () => page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: "I've copied it" }).click()
    await expect.poll(async () => page.content()).not.toContain(secret)
    await expect.poll(async () => column(page, 'Keys', 'Last used')).toStrictEqual(['never'])
  })

  it('creates keys with an expiration, rate limits and selected models', async () => {
    await create('Nightly')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Expires').selectOption({ label: 'After 30 days' })
    await dialog.getByLabel('Selected models only').check()
    expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await dialog.getByLabel('gemma-3').check()
    await dialog.getByText('Limits', { exact: true }).click()
    await dialog.getByLabel('Requests per minute').fill('60')
    await dialog.getByLabel('Tokens per month').fill('5000')
    const limited = await readSecret()
    expect((await models(limited)).names).toStrictEqual(['gemma-3'])
    await page.getByRole('button', { name: "I've copied it" }).click()
    const row = page.getByRole('row', { name: /Nightly/ })
    for (const text of ['60 requests/min', '0 of 5K tokens this month', '1 model', 'in 30 days'])
      await row.getByText(text).waitFor()
    const key = (await system.store.listKeys(organization)).find(({ name }) => name === 'Nightly')
    await system.store.touchKeys([{ key: key!.id, at: new Date(Date.now() - 3 * 3_600_000) }])
    await page.reload()
    await row.getByText('3 hours ago').waitFor()
    await chooseInMenu(page, 'Actions for Nightly', 'Revoke')
    await page.getByText('Last used 3 hours ago.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('revokes a key by name, says what stops, and the key stops working', async () => {
    await chooseInMenu(page, 'Actions for Support chat', 'Revoke')
    await page.getByText(/get a 401 from now on/).waitFor()
    await confirmByName(page, 'Support chat', 'Revoke key')
    await toast(page, 'Key revoked')
    expect((await models(secret)).status).toBe(401)
    await expect.poll(async () => column(page, 'Keys', 'Key')).toHaveLength(1)
    await page.getByRole('button', { name: /^Revoked or expired/ }).click()
    await page.getByRole('row', { name: /Support chat.*Revoked/ }).waitFor()
  })

  it('says that a key was never used', async () => {
    await system.newKey(page, organization, 'Unused')
    await visit(page, '/keys')
    await chooseInMenu(page, 'Actions for Unused', 'Revoke')
    await page.getByText('Never used.').waitFor()
  })
}
