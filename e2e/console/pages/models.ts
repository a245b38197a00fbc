import { describe, expect, it } from 'vitest'
import { linkDevice, theOrganization } from '../harness/fill.ts'
import { chooseInMenu, column, confirmByName, toast, visit } from '../harness/people.ts'
import type { FilledConsole } from '../harness/start-filled-console.ts'

export function modelsPage({ system, page }: FilledConsole): void {
  async function stateOf(name: string): Promise<string | undefined> {
    const models = await system.store.listModels(await theOrganization(system.store))
    return models.find((model) => model.name === name)?.state
  }

  describe('Models', () => {
    it('lists enabled, disabled and available models with their devices', async () => {
      await visit(page, '/models')
      expect(await column(page, 'Models', 'Model')).toStrictEqual([
        'gemma-3-27b-it',
        'llama-3.3-70b-instruct',
        'mistral-small-24b',
        'nomic-chat',
        'phi-4-mini',
        'qwen3:0.6b',
        'qwen3:8b',
      ])
      expect(await column(page, 'Models', 'Status')).toStrictEqual([
        'Enabled',
        'Enabled',
        'Enabled, no devices',
        'Available',
        'Disabled',
        'Available',
        'Enabled',
      ])
      expect((await column(page, 'Models', 'Devices')).at(-1)).toBe('3')
      expect((await column(page, 'Models', 'Context')).at(-1)).toBe('40K')
    })

    it('shows the features of a model, its devices, and the features a device lacks', async () => {
      await page.getByRole('button', { name: 'qwen3:8b', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('Served by 3 devices').waitFor()
      await sheet.getByText('Responds with JSON that matches your schema').waitFor()
      await sheet.getByText(/8K context · missing: JSON, JSON schema/).waitFor()
      await page.goBack()
      await sheet.waitFor({ state: 'detached' })
    })

    it('enables an available model with one click', async () => {
      await page
        .getByRole('row', { name: /nomic-chat/ })
        .getByRole('button', { name: 'Enable' })
        .click()
      await toast(page, 'nomic-chat is enabled')
      expect(await stateOf('nomic-chat')).toBe('enabled')
    })

    it('disables a model immediately, and undoes it', async () => {
      await chooseInMenu(page, 'Actions for gemma-3-27b-it', 'Disable')
      await toast(page, /Requests for it get a 403/)
      expect(await stateOf('gemma-3-27b-it')).toBe('disabled')
      await page.getByRole('button', { name: 'Undo' }).click()
      await toast(page, 'gemma-3-27b-it is enabled')
      expect(await stateOf('gemma-3-27b-it')).toBe('enabled')
    })

    it('states the consequences of removing a model, and asks for its name', async () => {
      await chooseInMenu(page, 'Actions for phi-4-mini', 'Remove')
      await page.getByText('New requests for this model get a 403.').waitFor()
      await confirmByName(page, 'phi-4-mini', 'Remove model')
      await toast(page, 'Model removed')
      await expect.poll(async () => column(page, 'Models', 'Model')).not.toContain('phi-4-mini')
    })

    it('enables a name before any device has it, and says why a name is invalid', async () => {
      await page.getByRole('button', { name: 'Add a model' }).click()
      await page.getByRole('button', { name: 'Enable it without a download' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Or enter a name').fill('not\u0007printable')
      await dialog.getByRole('button', { name: 'Enable', exact: true }).click()
      await dialog.getByText(/control characters/).waitFor()
      await dialog.getByLabel('Or enter a name').fill('coming-soon:1b')
      await dialog.getByRole('button', { name: 'Enable', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(async () => column(page, 'Models', 'Model')).toContain('coming-soon:1b')
    })

    it('filters by words and status, sorts by column, and keeps the filters in the URL', async () => {
      await page.keyboard.press('/')
      await page.keyboard.type('qwen')
      await expect.poll(async () => column(page, 'Models', 'Model')).toStrictEqual(['qwen3:0.6b', 'qwen3:8b'])
      await page.getByRole('columnheader', { name: 'Devices' }).getByRole('button').click()
      await page.getByRole('columnheader', { name: 'Devices' }).getByRole('button').click()
      await expect.poll(async () => column(page, 'Models', 'Devices')).toStrictEqual(['3', '1'])
      await page.getByRole('button', { name: /^Available/ }).click()
      await expect.poll(async () => column(page, 'Models', 'Model')).toStrictEqual(['qwen3:0.6b'])
      await expect.poll(() => new URL(page.url()).search).toBe('?filter=qwen&state=offered')
      await page.reload()
      await expect.poll(async () => column(page, 'Models', 'Model')).toStrictEqual(['qwen3:0.6b'])
      await page.getByRole('searchbox').fill('no such thing')
      await page.getByText('No model matches this filter.').waitFor()
    })

    it('adds the model of a new device to the list, and removes it when the device leaves', async () => {
      await visit(page, '/models')
      const device = await linkDevice(system.store, system.origin, { name: 'Visitor', models: ['visiting-model'] })
      await expect.poll(async () => column(page, 'Models', 'Model')).toContain('visiting-model')
      await device[Symbol.asyncDispose]()
      await expect.poll(async () => column(page, 'Models', 'Model')).not.toContain('visiting-model')
      const organization = await theOrganization(system.store)
      const left = (await system.store.listDevices(organization)).find(({ name }) => name === 'Visitor')
      await system.store.removeDevice({ organization, device: left!.id })
    })
  })
}
