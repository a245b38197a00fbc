import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theOrganization } from './harness/fill.ts'
import { column, confirmByName, toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
let page: Page

beforeAll(async () => {
  page = await system.ownersPage()
  const organization = await theOrganization(system.store)
  for (const name of ['qwen3:8b', 'gemma-3']) await system.store.enableModel({ organization, name })
})
afterAll(async () => system[Symbol.asyncDispose]())

async function models(secret: string): Promise<{ status: number; names: string[] }> {
  const response = await fetch(`${system.origin}/openai/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  const body = (await response.json()) as { data?: { id: string }[] }
  return { status: response.status, names: (body.data ?? []).map(({ id }) => id) }
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

describe('Keys', () => {
  let secret: string

  it('[Q7] says what keys are for while there are none', async () => {
    await visit(page, '/keys')
    await page.getByText('No keys yet').waitFor()
  })

  it('[Q7] shows a new key once, copies it, and it works', async () => {
    await visit(page, '/keys')
    await create('Support chat')
    secret = await readSecret()
    expect((await models(secret)).names.toSorted()).toStrictEqual(['gemma-3', 'qwen3:8b'])
    await page.getByRole('button', { name: 'Copy: Key', exact: true }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.content()).not.toContain(secret)
    expect(await column(page, 'Keys', 'Last used')).toStrictEqual(['never'])
  })

  it('[Q7] makes keys with an end, limits and chosen models', async () => {
    await visit(page, '/keys')
    await create('Nightly')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Expires').selectOption({ label: 'After 30 days' })
    await dialog.getByLabel('Only some').check()
    expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await dialog.getByLabel('gemma-3').check()
    await dialog.getByText('Limits').click()
    await dialog.getByLabel('Requests per minute').fill('60')
    await dialog.getByLabel('Requests at once').fill('2')
    const limited = await readSecret()
    expect((await models(limited)).names).toStrictEqual(['gemma-3'])
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('row', { name: /Nightly/ })
    for (const text of ['60 requests/min', '2 at once', '1 model', 'in 30 days']) await row.getByText(text).waitFor()
    const organization = await theOrganization(system.store)
    const key = (await system.store.listKeys(organization)).find(({ name }) => name === 'Nightly')
    await system.store.touchKeys([{ key: key!.id, at: new Date(Date.now() - 3 * 3_600_000) }])
    await page.reload()
    await row.getByText('3 hours ago').waitFor()
  })

  it('[Q7] revokes by name, and says what stops', async () => {
    await visit(page, '/keys')
    await page.getByRole('button', { name: 'Revoke Support chat' }).click()
    await page.getByText(/are refused with status 401 from now on/).waitFor()
    await confirmByName(page, 'Support chat', 'Revoke key')
    await toast(page, 'Key revoked')
    expect((await models(secret)).status).toBe(401)
    expect(await column(page, 'Keys', 'Key')).toHaveLength(1)
    await page.getByRole('button', { name: /^Revoked or expired/ }).click()
    await page.getByRole('row', { name: /Support chat.*Revoked/ }).waitFor()
  })

  it('[Q15] asked no other origin for anything, and broke nowhere', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
