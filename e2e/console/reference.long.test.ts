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

async function show(path = '/reference'): Promise<void> {
  await visit(page, path)
  await page.getByRole('navigation', { name: 'Operations' }).waitFor()
}

/** The card of an operation. */
function operation(method: string, path: string) {
  return page.getByRole('article', { name: `${method} ${path}`, exact: true })
}

describe('API reference', () => {
  it('describes the public API: operations, fields by support, errors', async () => {
    await show()
    expect(await page.getByRole('article').count()).toBe(3)
    const chat = operation('POST', '/chat/completions')
    expect(await chat.getByRole('heading', { level: 5 }).allInnerTexts()).toStrictEqual([
      'Always supported',
      'Depends on the device',
      'Ignored',
      'Rejected',
    ])
    await chat.getByText('at least 1 items').or(chat.getByText('1 to 4096 items')).first().waitFor()
    await chat.locator('summary', { hasText: 'Errors' }).click()
    await chat.getByText('unsupported_content_part').waitFor()
    await chat.getByText('Fields of').first().click()
    await chat.getByText('The ID of the tool call').waitFor({ state: 'attached' })
  })

  it('describes the console API as the gateway does', async () => {
    await show()
    await page.getByRole('button', { name: 'Console API', exact: true }).click()
    await operation('POST', '/organizations/{organization}/keys').waitFor()
    const { paths } = (await (await fetch(`${system.origin}/api/openapi.json`)).json()) as { paths: object }
    const described = Object.values(paths).flatMap((methods) => Object.keys(methods as object))
    expect(await page.getByRole('article').count()).toBe(described.length)
  })

  it('finds operations by path, field and error code in both APIs', async () => {
    await show()
    await page.keyboard.press('/')
    await page.keyboard.type('logit_bias')
    await expect.poll(async () => page.getByRole('article').count()).toBe(1)
    await page.getByRole('button', { name: 'Console API 0' }).waitFor()
    await page.getByRole('searchbox').fill('tokensPerMinute post')
    await page.getByText('No operation matches this filter.').waitFor()
    await page.getByRole('button', { name: /^Console API [1-9]/ }).click()
    await operation('POST', '/organizations/{organization}/keys').waitFor()
  })

  it('has a URL for every operation', async () => {
    await show()
    await page.getByRole('navigation', { name: 'Operations' }).getByText('/models/{model}').click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#public-retrieveModel')
    await page.goto('about:blank')
    await page.goto('/reference#console-createKey')
    const card = operation('POST', '/organizations/{organization}/keys')
    await card.waitFor()
    await expect.poll(async () => card.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(200)
  })

  it('has commands with the URL of this gateway, ready to run', async () => {
    await system.store.enableModel({ organization: await theOrganization(system.store), name: 'able' })
    const organization = await theOrganization(system.store)
    const { secret } = await system.call(page, `/organizations/${organization}/keys`, { name: 'Reference' })
    await show()
    await page.getByLabel('Example of createChatCompletion', { exact: true }).filter({ hasText: 'able' }).waitFor()
    const command = await page.getByLabel('Example of listModels', { exact: true }).innerText()
    const { url, method, headers } = await readCurl(command, { HEARTH_API_KEY: String(secret) })
    expect(url).toBe(`${system.origin}/openai/v1/models`)
    const response = await fetch(url, { method, headers })
    expect(await response.json()).toMatchObject({ data: [{ id: 'able' }] })
    const chat = await readCurl(await page.getByLabel('Example of createChatCompletion', { exact: true }).innerText())
    expect(JSON.parse(chat.body!)).toMatchObject({ model: 'able' })
    expect(JSON.parse(chat.body!)).toHaveProperty('messages')
    const one = await page.getByLabel('Example of retrieveModel', { exact: true }).innerText()
    expect((await readCurl(one)).url).toBe(`${system.origin}/openai/v1/models/able`)
    await page.getByRole('button', { name: 'Copy: Example of listModels' }).click()
    await expect.poll(async () => page.evaluate('navigator.clipboard.readText()')).toBe(command)
  })

  it('serves the OpenAPI description', async () => {
    const response = await fetch(`${system.origin}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/openai/v1' }] })
  })

  it('[Q15] loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
