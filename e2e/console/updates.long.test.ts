import { readdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILT } from './harness/built-console.ts'
import { visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
let page: Page

beforeAll(async () => {
  system.loadsAhead = true
  page = await system.ownersPage()
})
afterAll(async () => system[Symbol.asyncDispose]())

/** Waits until the browser has run the code of all pages, also of those that aren't in the first load. */
async function allPages(): Promise<void> {
  const built = (await readdir(`${BUILT}/assets`)).filter((file) => /^page-.*[.]js$/.test(file))
  const files =
    'performance.getEntriesByType("resource").filter(({ name, responseStatus }) => responseStatus === 200 && /page-.*[.]js$/.test(name))'
  await expect.poll(async () => page.evaluate(`${files}.length`)).toBe(built.length)
  // A file may have come before the files that it imports.
  await page.evaluate(`Promise.all(${files}.map(({ name }) => import(name)))`)
}

/** From now on, the gateway serves another build, whose files have other names. */
async function updateConsole(script: string): Promise<void> {
  await page.unroute('**/')
  await page.route('**/', async (route) => {
    const body = `<!doctype html><title>Hearth</title><script type="module" crossorigin src="/assets/${script}"></script>`
    await route.fulfill({ body, contentType: 'text/html' })
  })
}

/** The gateway restarts, as it does with every update. */
async function restart(): Promise<void> {
  const listening = page.waitForResponse('**/events')
  await system.stopGateway()
  await system.startGatewayAgain()
  await listening
}

describe('a page that was not loaded yet', () => {
  it('says that the gateway is away, and opens once it is back', async () => {
    await visit(page, '/models')
    // The console loads its other pages in the background. This one is interrupted.
    await page.route('**/assets/page-*.js', async (route) => route.abort('connectionfailed'))
    await system.stopGateway()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: "Can't reach the gateway" }).waitFor()
    await page.unroute('**/assets/page-*.js')
    expect(await page.getByText('bug in the console').count()).toBe(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await system.startGatewayAgain()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  })
})

describe('a page that was loaded in the background', () => {
  it('opens while the gateway is away', async () => {
    await visit(page, '/models')
    await allPages()
    await system.stopGateway()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
    await system.startGatewayAgain()
  })
})

describe('after an update', () => {
  it('offers a reload once, and keeps what you typed', async () => {
    await visit(page, '/keys?dialog=add')
    await page.getByLabel('Name').fill('Half-typed')
    await updateConsole('index-newer.js')
    await restart()
    const offer = page.getByText('Hearth was updated.')
    await offer.waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Half-typed')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Not now' }).click()
    await offer.waitFor({ state: 'detached' })
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
    await restart()
    await asked
    await page.getByText("Can't reach the gateway").waitFor({ state: 'detached' })
    expect(await offer.count()).toBe(0)
  })

  it('says so on a page whose code is gone', async () => {
    await page.unroute('**/')
    await page.route('**/assets/page-*.js', async (route) => route.fulfill({ status: 404 }))
    await visit(page, '/keys')
    await updateConsole('index-newer.js')
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByRole('heading', { name: 'Hearth was updated' }).waitFor()
    await page.unroute('**/assets/page-*.js')
    await page.getByRole('button', { name: 'Reload', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
