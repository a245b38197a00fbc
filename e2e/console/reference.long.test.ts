import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theOrganization } from './harness/fill.ts'
import { visit } from './harness/people.ts'
import { readCurl } from './harness/read-curl.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
let page: Page

beforeAll(async () => {
  page = await system.ownersPage()
})
afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

async function show(path = '/help/api/public'): Promise<void> {
  await visit(page, path)
  await page.getByRole('navigation', { name: 'On this page' }).waitFor()
}

/** The section of an operation. */
function operation(id: string) {
  return page.locator(`section#${id}`)
}

/** Its command, with the values of this gateway. */
function example(id: string) {
  return operation(id).getByLabel('sh code')
}

describe('API reference', () => {
  it('describes the public API: operations, fields by support, errors', async () => {
    await show()
    expect(await page.locator('article > section').count()).toBe(3)
    const chat = operation('createChatCompletion')
    for (const words of ['Always supported.', 'Depends on the device.', 'Ignored.', 'Rejected.'])
      await chat.getByText(words).waitFor()
    await chat.getByText('1 to 4096 items').first().waitFor()
    await chat.getByText('unsupported_content_part').first().waitFor()
    await chat.getByText('The ID of the tool call').first().waitFor()
  })

  it('finds operations by path, field and error code in both APIs', async () => {
    await visit(page, '/help')
    await page.keyboard.press('/')
    await page.keyboard.type('logit_bias completions')
    await page.getByRole('link', { name: 'POST /chat/completions' }).waitFor()
    await page.getByRole('searchbox').fill('tokensPerMinute post')
    await page.getByRole('link', { name: 'POST /organizations/{organization}/keys', exact: true }).click()
    await operation('createKey').waitFor()
    await page.getByRole('searchbox').fill('logit_bias tokensPerMinute')
    await page.getByText('Nothing found for').waitFor()
  })

  it('has a URL for every operation', async () => {
    await show()
    await page.getByRole('navigation', { name: 'On this page' }).getByText('GET /models/{model}').click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#retrieveModel')
    await page.goto('about:blank')
    await page.goto('/help/api/console/keys#createKey')
    const section = operation('createKey')
    await section.waitFor()
    await expect.poll(async () => section.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(200)
  })

  it('has commands with the URL of this gateway, ready to run', async () => {
    const organization = await theOrganization(system.store)
    await system.store.enableModel({ organization, name: 'able' })
    const secret = await system.newKey(page, organization, 'Reference')
    await show()
    await example('createChatCompletion').filter({ hasText: 'able' }).waitFor()
    const command = await example('listModels').innerText()
    const { url, method, headers } = await readCurl(command, { HEARTH_API_KEY: secret })
    expect(url).toBe(`${system.origin}/openai/v1/models`)
    const response = await fetch(url, { method, headers })
    expect(await response.json()).toMatchObject({ data: [{ id: 'able' }] })
    const chat = await readCurl(await example('createChatCompletion').innerText())
    expect(JSON.parse(chat.body!)).toMatchObject({ model: 'able' })
    expect(JSON.parse(chat.body!)).toHaveProperty('messages')
    const one = await example('retrieveModel').innerText()
    expect((await readCurl(one)).url).toBe(`${system.origin}/openai/v1/models/able`)
    await operation('listModels').getByRole('button', { name: 'Copy code' }).click()
    await expect.poll(async () => page.evaluate('navigator.clipboard.readText()')).toBe(command)
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
