import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { linkDevice } from '../harness/fill.ts'
import { createOwner, toast } from '../harness/people.ts'
import type { ConsoleSystem } from '../harness/start-console.ts'

/** Only these tests see a gateway before its set-up, so they run first. */
export function firstVisit(system: ConsoleSystem): void {
  const link = system.setUpLink
  let page: Page

  beforeAll(async () => {
    page = await system.newPage()
  })

  it('says where to find the setup link', async () => {
    await page.goto('/models')
    await page.getByText('This gateway is not set up yet').waitFor()
  })

  it('rejects an incomplete or invalid setup link', async () => {
    await page.goto('/set-up')
    await page.getByText('This link is incomplete').waitFor()
    await page.goto('about:blank')
    await page.goto('/set-up#not-a-token')
    await createOwner(page)
    await page.getByText('This link is no longer valid.').waitFor()
  })

  it('leads from the setup link to a key, each step one click away', async () => {
    await page.goto('about:blank')
    await page.goto(link)
    await createOwner(page)
    await page.getByText('Three steps to your first request').waitFor()
    expect(page.url()).toBe(`${system.origin}/`)

    await page.getByRole('link', { name: 'Add a device' }).click()
    await page.getByRole('button', { name: 'Create command' }).click()
    const command = await page.getByLabel('Install command', { exact: true }).innerText()
    expect(command).toMatch(new RegExp(` ${system.origin} --token he-hearth-`))
    const models = [{ name: 'qwen3:8b', slots: 2, features: ['usage' as const] }]
    const device = await linkDevice(system.store, system.origin, { name: 'Mac Studio', models })
    await page.getByText('is connected and serves qwen3:8b.').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()

    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('1 of 3 done').waitFor()
    await page.getByRole('link', { name: 'Add a model' }).click()
    await page.getByRole('button', { name: 'Enable qwen3:8b' }).click()
    await toast(page, 'qwen3:8b is enabled')
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill('First program')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText("I've copied it").click()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Ready for requests.').waitFor()
    await device[Symbol.asyncDispose]()
  })

  it('rejects a used setup link', async () => {
    await page.goto(link)
    await page.getByText('Hearth is already set up').waitFor()
  })

  it('shows the first request for many tools, with this base URL and an existing model', async () => {
    await page.goto('/')
    for (const name of ['curl', 'Python', 'TypeScript', 'AI SDK', 'LangChain', 'Continue', 'Aider']) {
      await page.getByRole('tab', { name, exact: true }).click()
      const example = page.getByLabel(`${name} example`, { exact: true })
      await example
        .filter({ hasText: `${system.origin}/openai/v1` })
        .filter({ hasText: 'qwen3:8b' })
        .waitFor()
    }
    await page.getByRole('button', { name: 'Copy: Base URL' }).click()
    await expect.poll(async () => page.evaluate('navigator.clipboard.readText()')).toBe(`${system.origin}/openai/v1`)
  })
}
