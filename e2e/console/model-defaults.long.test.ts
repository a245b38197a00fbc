// The defaults of a model, and what the console says about the starter model.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkDevice, theOrganization } from './harness/fill.ts'
import { toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const STARTER = 'smollm2-135m-instruct'
const system = await startConsole()
afterAll(async () => system[Symbol.asyncDispose]())
const page = await system.ownersPage()

beforeAll(async () => {
  const organization = await theOrganization(system.store)
  await system.store.enableModel({ organization, name: STARTER })
  await linkDevice(system.store, system.origin, { name: 'vm', models: [STARTER] })
})

async function defaults(): Promise<unknown> {
  const [model] = await system.store.listModels(await theOrganization(system.store))
  return model!.defaults
}

describe('the defaults of a model', () => {
  const section = () => page.getByRole('region', { name: 'Defaults' })

  it('shows what its authors recommend, and saves what an admin sets instead', async () => {
    await visit(page, `/models?open=${STARTER}`)
    await section().getByText('0.2 (recommended by its authors)').waitFor()
    await section().getByRole('button', { name: 'Edit defaults…' }).click()
    const dialog = page.getByRole('dialog', { name: /Defaults of/ })
    await dialog.getByLabel('Temperature').fill('0.7')
    await dialog.getByLabel('System message').fill('Answer briefly.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'Defaults saved')
    await section().getByText('Answer briefly.').waitFor()
    expect(await defaults()).toStrictEqual({ temperature: 0.7, systemMessage: 'Answer briefly.' })
  })

  it('is what an empty field of the playground shows', async () => {
    await visit(page, `/playground?open=${STARTER}`)
    const settings = page.getByRole('region', { name: 'Basic settings' })
    const placeholder = async (label: string) => settings.getByLabel(label).getAttribute('placeholder')
    await expect.poll(async () => placeholder('Temperature')).toBe('0.7 (default)')
    expect([await placeholder('Max tokens'), await placeholder('System message')]).toStrictEqual([
      '1024 (default)',
      'Answer briefly.',
    ])
  })

  it('explains what is wrong with a chat template, and keeps what was typed', async () => {
    await visit(page, `/models?open=${STARTER}`)
    await section().getByRole('button', { name: 'Edit defaults…' }).click()
    const dialog = page.getByRole('dialog', { name: /Defaults of/ })
    await dialog.getByLabel('Chat template').fill('{% for message in messages %}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/can't be parsed/).waitFor()
    expect(await dialog.getByLabel('Chat template').inputValue()).toBe('{% for message in messages %}')
    expect(await defaults()).not.toHaveProperty('chatTemplate')
  })
})

describe('the starter model', () => {
  it.each(['/', '/playground'])('is described on %s, with a way to a better one', async (path) => {
    await visit(page, path)
    const note = page.getByRole('region', { name: 'About this model' })
    await note.getByText('135M parameters, for testing').waitFor()
    await note.getByRole('link', { name: 'Serve a better one' }).click()
    await page.waitForURL(/\/models\?dialog=add/)
    await page.getByRole('dialog').waitFor()
  })

  it('is no longer mentioned on Home once another model is served', async () => {
    const organization = await theOrganization(system.store)
    await system.store.enableModel({ organization, name: 'qwen3:8b' })
    await linkDevice(system.store, system.origin, { name: 'studio', models: ['qwen3:8b'] })
    await visit(page, '/')
    await page.getByText('Ready for requests').or(page.getByText('Create an API key')).first().waitFor()
    await expect.poll(() => page.getByText('for testing').count()).toBe(0)
  })
})
