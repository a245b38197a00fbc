// A console with a device that serves two models, one with all features and one with none, and a third model that no device serves. Also
// the steps that playground tests share.

import type { JobPlan, ScriptedDevice } from '@hearth/gateway/testing'
import { FEATURES, type ChatJob } from '@hearth/protocol'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { lastJob } from '../../harness/start-system.ts'
import { linkDevice, theOrganization } from './fill.ts'
import { visit } from './people.ts'
import { startConsole, type ConsoleSystem } from './start-console.ts'

const ENDED = /Complete stop|Called tools|Reached the token limit/

export async function startPlayground(): Promise<Playground> {
  const system = await startConsole()
  const page = await system.ownersPage()
  const organization = await theOrganization(system.store)
  for (const name of ['able', 'plain', 'absent']) await system.store.enableModel({ organization, name })
  const device = await linkDevice(system.store, system.origin, {
    name: 'Desk',
    models: [{ name: 'able', features: [...FEATURES], slots: 4, contextLength: 32_768 }, { name: 'plain' }],
  })
  return new Playground(system, page, device)
}

export class Playground implements AsyncDisposable {
  readonly system: ConsoleSystem
  readonly page: Page
  readonly device: ScriptedDevice

  constructor(system: ConsoleSystem, page: Page, device: ScriptedDevice) {
    this.system = system
    this.page = page
    this.device = device
  }

  /** Loads the page, which starts a conversation. */
  async open(model = 'able'): Promise<void> {
    this.device.plan = {}
    await visit(this.page, `/playground?open=${model}`)
    await expect.poll(async () => this.model.inputValue()).toBe(model)
  }

  /** The select for the model. */
  get model(): Locator {
    return this.page.getByLabel('Model', { exact: true })
  }

  get answers(): Locator {
    return this.page.getByRole('article', { name: 'Response' })
  }

  async say(text: string): Promise<void> {
    await this.page.getByLabel('Your message').fill(text)
    await this.page.keyboard.press('Enter')
  }

  /** Sends a message and waits for the response to end. */
  async ask(plan: JobPlan, text = 'Hi'): Promise<Locator> {
    const before = await this.answers.count()
    this.device.plan = plan
    await this.say(text)
    const answer = this.answers.nth(before)
    await answer.getByText(ENDED).first().waitFor()
    return answer
  }

  /** The last job that the device got, without what tells the keys apart. */
  get lastRequest(): ChatJob {
    return lastJob(this.device)
  }

  get lastMessages(): string[] {
    return this.lastRequest.messages.map(({ content }) => content)
  }

  /** Everything that the playground keeps in this browser, as text. */
  async inBrowser(): Promise<string> {
    return this.page.evaluate<string>(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('hearth-playground')
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const all = opening.result.transaction('kept').objectStore('kept').getAll()
        all.onsuccess = () => { opening.result.close(); resolve(JSON.stringify(all.result)) }
      }
    })`)
  }

  async openSettings(...groups: string[]): Promise<void> {
    for (const group of groups) await this.page.locator('summary', { hasText: group }).click()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.device[Symbol.asyncDispose]()
    await this.system[Symbol.asyncDispose]()
  }
}
