// Starts a gateway process with its own data folder and the console as it is built, a browser, and the store for preparing data quickly. Everything
// stops with it.

import { setTimeout } from 'node:timers/promises'
import { makeDataFolder, openStore, type Store } from '@hearth/gateway/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { Client } from '../../harness/client/client.ts'
import { DEADLINE_MS } from '../../harness/deadline.ts'
import { startGateway, type GatewayProcess } from '../../harness/processes/gateway-process.ts'
import { removeFolder } from '../../harness/remove-folder.ts'
import { silenceDatabase } from '../../harness/silence-database.ts'
import { inviteOwner } from './fill.ts'
import { launchBrowser } from './browser.ts'
import { watchPage, type Observed } from './observed.ts'

export const OWNER = { name: 'Ada Lovelace', email: 'ada@example.test', password: 'correct horse battery' }
export const ORGANIZATION = 'Analytical Engines'

const SETTINGS = { READY_GRACE_MS: '1', DRAIN_MS: '200', ACCESS_POLL_MS: '100' }

const SAVES_DATA = "Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => true })"

export async function startConsole(settings: Record<string, string> = {}): Promise<ConsoleSystem> {
  const [folder, browser] = await Promise.all([makeDataFolder(), launchBrowser()])
  const url = `embedded:${folder}`
  const gateway = await startGateway({ ...SETTINGS, ...settings, DATABASE_URL: url })
  return new ConsoleSystem({ folder, browser, gateway, settings, store: await openStore(url) })
}

interface Started {
  folder: string
  browser: Browser
  gateway: GatewayProcess
  settings: Record<string, string>
  store: Store
}

export class ConsoleSystem implements AsyncDisposable {
  readonly origin: string
  readonly browser: Browser
  /** Forbidden requests and errors of the pages. Empty in a good run. */
  readonly observed: Observed = { foreignRequests: [], faults: [] }
  readonly folder: string
  /** Whether new pages load the code of all other pages too, which takes more time than most tests. */
  loadsAhead = false
  readonly #settings: Record<string, string>
  #gateway: GatewayProcess
  #store: Store
  #owners: Page | undefined

  constructor({ folder, browser, gateway, settings, store }: Started) {
    this.folder = folder
    this.browser = browser
    this.#gateway = gateway
    this.#settings = settings
    this.#store = store
    this.origin = gateway.origin
  }

  get store(): Store {
    return this.#store
  }

  /** The setup link that the gateway printed, with this test's origin. */
  get setUpLink(): string {
    const [, token] = /"link":"[^"]*#([^"]+)"/.exec(this.#gateway.output()) ?? []
    if (token === undefined) throw new Error('The gateway printed no link')
    return `${this.origin}/set-up#${token}`
  }

  /** A program with this key. */
  client(key: string): Client {
    return new Client(`${this.origin}/openai/v1`, key)
  }

  /** A page without a session. */
  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ baseURL: this.origin, locale: 'en-GB', ...options })
    context.setDefaultTimeout(DEADLINE_MS)
    if (!this.loadsAhead) await context.addInitScript(SAVES_DATA)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.origin })
    watchPage(context, this.origin, this.observed)
    return context.newPage()
  }

  /** A page of the owner. The first call sets up the gateway. */
  async ownersPage(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.newPage(options)
    const isNew = !(await this.#store.isSetUp())
    const [, token] = this.setUpLink.split('#')
    await (isNew
      ? this.call(page, '/set-up', { token, ...OWNER, organization: ORGANIZATION })
      : this.call(page, '/sign-in', { email: OWNER.email, password: OWNER.password }))
    return page
  }

  /**
   * An organization of its own on this gateway, for tests that share one, with a page of its owner. The owner of the one before is signed out
   * there: a browser that knows the console loads it in less time.
   */
  async newOrganization(email: string): Promise<{ organization: string; page: Page }> {
    const { organization, token } = await inviteOwner(this.#store, ORGANIZATION)
    if (this.#owners) await this.call(this.#owners, '/sign-out', {})
    this.#owners ??= await this.newPage()
    await this.#owners.goto('about:blank')
    await this.call(this.#owners, '/invitations/accept', { token, person: { ...OWNER, email } })
    return { organization, page: this.#owners }
  }

  /** A page of someone who joins as a member. `page` is an owner's. */
  async newMember(page: Page, organization: string, person: { name: string; email: string }): Promise<Page> {
    const { link } = await this.call(page, `/organizations/${organization}/invitations`, { role: 'member' })
    const member = await this.newPage()
    const [, token] = String(link).split('#')
    await this.call(member, '/invitations/accept', { token, person: { ...person, password: OWNER.password } })
    return member
  }

  /** Returns the secret of a new key. `page` is its owner's. */
  async newKey(page: Page, organization: string, name: string): Promise<string> {
    return String((await this.call(page, `/organizations/${organization}/keys`, { name }))['secret'])
  }

  /** Calls the console API with the session of this page. */
  async call(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
    const headers = { origin: this.origin }
    let response = await page.request.post(`${this.origin}/api/v1${path}`, { data, headers })
    // On a very busy machine the database may be silent for a moment; the gateway says so and asks to try again.
    while (response.status() === 503) {
      await setTimeout(1_000 * Number(response.headers()['retry-after']))
      response = await page.request.post(`${this.origin}/api/v1${path}`, { data, headers })
    }
    if (!response.ok()) throw new Error(`${path} returned ${response.status()}: ${await response.text()}`)
    return response.status() === 204 ? {} : ((await response.json()) as Record<string, unknown>)
  }

  async stopGateway(): Promise<void> {
    await this.#store.close()
    await this.#gateway.stop()
  }

  /** Uses the same port and data. */
  async startGatewayAgain(): Promise<void> {
    const url = `embedded:${this.folder}`
    const { port } = new URL(this.origin)
    this.#gateway = await startGateway({ ...SETTINGS, ...this.#settings, DATABASE_URL: url, PORT: port })
    this.#store = await openStore(url)
  }

  /** Stops the database without a word while `look` runs. */
  async withSilentDatabase(look: () => Promise<void>): Promise<void> {
    const wake = await silenceDatabase(this.folder)
    try {
      await look()
    } finally {
      wake()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close()
    await this.#store.close()
    await this.#gateway[Symbol.asyncDispose]()
    await removeFolder(this.folder)
  }
}
