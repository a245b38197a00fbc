import type { ScriptedDevice } from '@hearth/gateway/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HI } from '../../harness/start-system.ts'
import { findViolations } from '../harness/axe.ts'
import { fightOverCredential, linkDevice, theOrganization, type LinkOptions } from '../harness/fill.ts'
import { chooseInMenu, column, confirmByName, toast, visit } from '../harness/people.ts'
import type { FilledConsole } from '../harness/start-filled-console.ts'

export function devicesPage({ system, page }: FilledConsole): void {
  async function find(name: string) {
    return (await system.store.listDevices(await theOrganization(system.store))).find((device) => device.name === name)
  }

  /** A device that is removed when its test is over. */
  async function guest(options: LinkOptions): Promise<ScriptedDevice> {
    const device = await linkDevice(system.store, system.origin, options)
    onTestFinished(async () => {
      const organization = await theOrganization(system.store)
      await system.store.removeDevice({ organization, device: (await find(options.name))!.id })
      await device[Symbol.asyncDispose]()
    })
    return device
  }

  async function ask(model: string) {
    const organization = await theOrganization(system.store)
    const { secret } = await system.call(page, `/organizations/${organization}/keys`, { name: `for ${model}` })
    return system.client(String(secret)).post({ model, messages: HI })
  }

  /** What devices call without a credential. */
  async function call(path: string, body: object): Promise<Record<string, unknown>> {
    const { json } = await system.client('').call(`${system.origin}/device/v1/${path}`, { key: null, body })
    return json as Record<string, unknown>
  }

  /** Returns where the command is. On a very busy machine the database may be silent for a moment: the dialog says so, and one tries again. */
  async function createCommand() {
    await page.getByRole('button', { name: 'Add a device' }).click()
    const command = page.getByLabel('Install command', { exact: true })
    const problem = page.getByRole('dialog').getByRole('alert')
    do {
      await page.getByRole('button', { name: 'Create command' }).click()
      await command.or(problem).first().waitFor()
    } while (!(await command.isVisible()))
    return command
  }

  // The page stays loaded, and shows what changes.
  describe('Devices', () => {
    it('shows the status, models, slots and last seen time of each device', async () => {
      await visit(page, '/devices')
      expect(await column(page, 'Devices', 'Device')).toStrictEqual([
        'Build server',
        'GPU server in the basement',
        "Katherine's ThinkPad",
        'Mac Studio',
        'New laptop of Grace',
        'Reception iMac',
      ])
      expect(await column(page, 'Devices', 'Status')).toStrictEqual([
        'Idle',
        'Idle',
        'Idle\nOutdated',
        'Idle',
        'Never connected',
        'Offline',
      ])
      expect(await column(page, 'Devices', 'Models')).toStrictEqual([
        'nomic-chat',
        '3 models',
        'qwen3:8b',
        '2 models',
        '–',
        '–',
      ])
      expect(await column(page, 'Devices', 'Slots in use')).toStrictEqual(['0/2', '0/20', '0/1', '0/6', '–', '–'])
      expect((await column(page, 'Devices', 'Last seen')).slice(3)).toStrictEqual(['now', 'never', '3 days ago'])
    })

    it('lists the features that an update may add', async () => {
      await page.getByRole('button', { name: /^Outdated/ }).click()
      await page.getByRole('button', { name: "Katherine's ThinkPad", exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('This device runs an older version of the app.').waitFor()
      await sheet.getByText('JSON schema (after update)').waitFor()
      await sheet.getByText('8K context').waitFor()
      await sheet.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: /^All/ }).click()
    })

    it('says that another machine tries to use the credential, and what to do', async () => {
      const devices = await fightOverCredential(system.store, system.origin, 'Copied laptop')
      await page.getByRole('row', { name: /Copied laptop.*Credential used twice/ }).waitFor()
      await page.getByRole('button', { name: 'Copied laptop', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText(/Another machine at \S+ tries to use this device’s credential/).waitFor()
      await sheet.getByText('run hearth-device login on it').waitFor()
      await sheet.getByRole('button', { name: 'Remove…' }).click()
      await confirmByName(page, 'Copied laptop', 'Remove device')
      await toast(page, 'Device removed')
      for (const device of devices) await device.closed
    })

    const PLAIN = { contextLength: 8_192, slots: 1, features: [] }
    it('shows what a device gives a model, and warns when its context is cut', async () => {
      const why = "8,192 of the model's 131,072 tokens, which is what 5.9 GiB of free GPU memory allows"
      const sizing = { trainedLength: 131_072, cacheType: 'q8_0', gpuLayers: 20, layers: 33, why }
      await guest({ name: 'Small card', models: [{ ...PLAIN, name: 'cut-model', sizing }] })
      await page.getByRole('button', { name: 'Small card', exact: true }).click()
      const sheet = page.getByRole('dialog')
      for (const text of ['8K of 128K context · 20 of 33 layers on the GPU', 'Context cut', why])
        await sheet.getByText(text).first().waitFor()
      await sheet.getByRole('button', { name: 'Close' }).click()
    })

    it('says which models are in memory, on the pages of the device and of the model', async () => {
      const far = { ...PLAIN, name: 'far-model', state: 'loadable' as const, loadMs: 9_000 }
      await guest({ name: 'Juggler', models: [far, { ...PLAIN, name: 'here-model' }] })
      await page.getByRole('button', { name: 'Juggler', exact: true }).click()
      const sheet = page.getByRole('dialog')
      const badgesOf = (name: string) => sheet.getByRole('listitem').filter({ hasText: name })
      await badgesOf('far-model').getByText('Loads on demand').waitFor()
      expect(await badgesOf('here-model').getByText(/^Load/).count()).toBe(0)
      await sheet.getByRole('link', { name: 'far-model' }).click()
      await page.getByRole('dialog', { name: 'far-model' }).getByText('Loads on demand').waitFor()
      await visit(page, '/devices')
    })

    it('shows the requests that a device blocks, and lets an admin accept them again', async () => {
      const device = await guest({
        name: 'Crasher',
        models: [{ ...PLAIN, name: 'crash-model', blockedRequests: 2 }],
        onModelRequest: () => ({}),
      })
      await page.getByRole('row', { name: /Crasher.*Requests blocked/ }).waitFor()
      await page.getByRole('button', { name: 'Crasher', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('2 requests blocked.').waitFor()
      await sheet.getByText('run this on the device: hearth-device unblock').waitFor()
      device.send({ type: 'library', library: { isOpen: true, diskFreeBytes: 1, memoryBytes: 1, models: [] } })
      await sheet.getByRole('button', { name: 'Accept them again' }).click()
      await toast(page, 'The device accepts all requests again')
      expect(device.modelRequests).toMatchObject([{ type: 'model-unblock', model: 'crash-model' }])
      device.send({ type: 'models', models: [{ ...PLAIN, name: 'crash-model' }] })
      await sheet.getByText('2 requests blocked.').waitFor({ state: 'detached' })
      await sheet.getByRole('button', { name: 'Close' }).click()
    })

    it('lists the local servers of a device, and lets an admin have one served', async () => {
      const device = await guest({ name: 'Neighbor', onModelRequest: () => ({}) })
      const server = { url: 'http://127.0.0.1:11434', name: 'Ollama', models: 5 }
      const tell = (isServed: boolean) =>
        device.send({
          type: 'library',
          library: { isOpen: true, diskFreeBytes: 1, memoryBytes: 1, models: [], servers: [{ ...server, isServed }] },
        })
      tell(false)
      await page.getByRole('button', { name: 'Neighbor', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('5 models at http://127.0.0.1:11434').waitFor()
      await sheet.getByRole('button', { name: 'Serve models of Ollama' }).click()
      await toast(page, 'The device tests the models and then serves them. Enable their names under Models')
      expect(device.modelRequests).toMatchObject([{ type: 'server-add', server: server.url }])
      tell(true)
      await sheet.getByText('Served', { exact: true }).waitFor()
      await sheet.getByRole('button', { name: 'Close' }).click()
    })

    it('lists the files that other programs keep on a device, and lets an admin use one in place', async () => {
      const file = { name: 'qwen3:8b', source: 'found:qwen3:8b', bytes: 5_200_000_000 }
      // An answer without a problem would add the model to the organization, which later tests count.
      const onModelRequest = () => ({ problem: { code: 'failed' as const, message: 'the file is gone' } })
      const device = await guest({ name: 'Keeper', onModelRequest })
      const files = [{ ...file, quant: 'Q4_K_M', keptBy: 'Ollama' }]
      device.send({ type: 'library', library: { isOpen: true, diskFreeBytes: 1, memoryBytes: 1, models: [], files } })
      await page.getByRole('button', { name: 'Keeper', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('5.2 GB · Q4_K_M · kept by Ollama · no download').waitFor()
      await sheet.getByRole('button', { name: 'Use in place' }).click()
      await toast(page, 'Keeper: The file is gone.')
      expect(device.modelRequests).toMatchObject([{ type: 'model-fetch', source: 'found:qwen3:8b' }])
      await sheet.getByRole('button', { name: 'Close' }).click()
    })

    it('creates an install command, says if it only works on this machine, reports the device that joins, and revokes an unused command', async () => {
      await page.getByRole('button', { name: 'Add a device' }).click()
      const withCode = await page.getByLabel('Command to get a code', { exact: true }).innerText()
      expect(withCode).toContain(`-- hearth-device-install ${system.origin}`)
      await page.keyboard.press('Escape')
      const shown = await createCommand()
      const command = await shown.innerText()
      await page.getByRole('note').getByText('HOST=0.0.0.0').waitFor()
      const background = page.getByLabel(/Keep it running in the background/)
      await background.check()
      await expect.poll(async () => shown.innerText()).toBe(`${command} --service`)
      const [token] = /he-hearth-\w+/.exec(command) ?? []
      await call('enrol', { token, name: 'Attic' })
      await page.getByText('Attic has joined. Start the device app to bring it online.').waitFor()
      await page.keyboard.press('Escape')
      await createCommand()
      await page.keyboard.press('Escape')
      const unused = page.getByRole('table', { name: 'Unused install commands' })
      await chooseInMenu(page, /^Actions for the command of/, 'Revoke')
      await toast(page, 'Install command revoked')
      await unused.waitFor({ state: 'detached' })
    })

    it('writes the command for a system and a model, and shows what the device serves as it connects', async () => {
      const command = await createCommand()
      const plain = await command.innerText()
      await page.getByText('Waiting for the device.').waitFor()
      await page.getByLabel('Model').fill('qwen3:8b')
      await page.getByRole('tab', { name: 'Windows' }).click()
      await expect.poll(async () => command.innerText()).toBe(`${plain.replace('npm ', 'npm.cmd ')} --model qwen3:8b`)
      expect(await findViolations(page)).toStrictEqual([])
      const device = await guest({ name: 'Cellar', models: [] })
      device.send({ type: 'downloads', downloads: [{ model: 'qwen3:8b', doneBytes: 2e9, totalBytes: 5e9 }] })
      await page.getByText('Cellar is connected.').waitFor()
      await page.getByText('Downloading qwen3:8b: 2.0 GB of 5.0 GB').waitFor()
      device.send({ type: 'downloads', downloads: [] })
      device.announce(['qwen3:8b', 'other'])
      await page.getByText('Cellar is connected and serves qwen3:8b and 1 other model.').waitFor()
      await page.keyboard.press('Escape')
    })

    it('shows the latency, the speed over time and what limits it', async () => {
      const organization = await theOrganization(system.store)
      await system.store.enableModel({ organization, name: 'timed' })
      const plan = { tokens: 8, intervalMs: 5 }
      const models = [{ name: 'timed', slots: 1 }]
      await guest({ name: 'Timed one', models, plan })
      for (let request = 0; request < 3; request++) expect((await ask('timed')).status).toBe(200)
      await page.getByRole('button', { name: 'Timed one', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText(/^\d+ ms round trip$/).waitFor()
      await sheet.getByRole('img', { name: /^Speed of timed over the last 3 responses: .* tokens\/s$/ }).waitFor()
      await sheet.getByText('timed answers one request at a time. Others wait.').waitFor()
      expect(await findViolations(page)).toStrictEqual([])
      await sheet.getByRole('button', { name: 'Close' }).click()
    })

    it('pauses and resumes a device', async () => {
      await chooseInMenu(page, 'Actions for Mac Studio', 'Pause')
      await toast(page, /gets no new ones/)
      expect((await find('Mac Studio'))?.isPaused).toBe(true)
      await page
        .getByRole('row', { name: /Mac Studio/ })
        .getByText('Paused')
        .waitFor()
      await chooseInMenu(page, 'Actions for Mac Studio', 'Resume')
      await toast(page, 'Device resumed')
      expect((await find('Mac Studio'))?.isPaused).toBe(false)
    })

    it('says why a device takes no requests, and when it will', async () => {
      const device = await guest({ name: 'Front desk' })
      device.send({ type: 'rest', rest: { reason: 'hours', until: '18:00' } })
      await page.getByRole('row', { name: /Front desk.*Outside its hours/ }).waitFor()
      await page.getByRole('button', { name: 'Front desk', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('It starts again at 18:00, its local time.').waitFor()
      device.send({ type: 'rest' })
      await sheet.getByText('It starts again at 18:00, its local time.').waitFor({ state: 'detached' })
      await sheet.getByRole('button', { name: 'Close' }).click()
    })

    it('renames a device', async () => {
      await chooseInMenu(page, 'Actions for Build server', 'Rename')
      await page.getByRole('dialog').getByLabel('Name').fill('Builder')
      await page.getByRole('button', { name: 'Rename' }).click()
      await toast(page, 'Device renamed')
      await expect.poll(async () => column(page, 'Devices', 'Device')).toContain('Builder')
    })

    it('removes a device by name, and disconnects it', async () => {
      const device = await linkDevice(system.store, system.origin, { name: 'Leaver', models: ['qwen3:8b'] })
      await chooseInMenu(page, 'Actions for Leaver', 'Remove')
      await page.getByText('The device is disconnected immediately').waitFor()
      await confirmByName(page, 'Leaver', 'Remove device')
      await toast(page, 'Device removed')
      expect((await device.closed).code).toBe(4401)
      await expect.poll(async () => column(page, 'Devices', 'Device')).not.toContain('Leaver')
    })

    it('shows a running job on its device', async () => {
      const release = Promise.withResolvers<void>()
      const plan = { stall: { at: 1, until: release.promise } }
      const organization = await theOrganization(system.store)
      await system.store.enableModel({ organization, name: 'slow' })
      await guest({ name: 'Slow one', models: ['slow'], plan })
      const answer = ask('slow')
      await page
        .getByRole('row', { name: /Slow one/ })
        .getByText('Busy')
        .waitFor()
      release.resolve()
      expect((await answer).status).toBe(200)
      await page
        .getByRole('row', { name: /Slow one/ })
        .getByText('Idle')
        .waitFor()
    })
  })

  describe('a device that shows a code', () => {
    const machine = {
      model: 'ThinkPad X1',
      system: 'Ubuntu 24.04',
      memoryBytes: 32 * 1024 ** 3,
      gpu: 'GeForce RTX 4090',
    }

    async function askToJoin(name: string, more: object = {}) {
      const asked = await call('authorize', { name, app: '0.1.0', system: 'linux x64', ...more })
      return asked as { user_code: string; device_code: string; verification_uri: string }
    }

    async function enterCode(code: string, path = '/devices/approve'): Promise<void> {
      await visit(page, path)
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
    }

    it('shows the details it reports, and joins once approved', async () => {
      const { user_code: code, device_code, verification_uri: address } = await askToJoin('Kiosk', { machine })
      await enterCode(code.toLowerCase().replace('-', ' '), address)
      for (const text of ['127.0.0.1', 'they are not verified', machine.model, machine.system, '32 GB', machine.gpu])
        await page.getByText(text).first().waitFor()
      await page.getByLabel('Display name').fill('Kiosk downstairs')
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('The device connects within a few seconds').waitFor()
      await call('token', { device_code })
      await visit(page, '/devices')
      await page.getByRole('button', { name: 'Kiosk downstairs', exact: true }).click()
      await page.getByRole('dialog').locator('dl > div', { hasText: 'Added by' }).getByText('Ada Lovelace').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    })

    it('is rejected', async () => {
      const { user_code: code, device_code } = await askToJoin('Stranger')
      await enterCode(code)
      await page.getByText('linux x64').first().waitFor()
      await page.getByRole('button', { name: 'Reject' }).click()
      await toast(page, 'Device rejected')
      expect(await call('token', { device_code })).toMatchObject({ error: { code: 'access_denied' } })
    })

    it('shows an error for a wrong code', async () => {
      await enterCode('BCDF-GHJK')
      await page.getByRole('alert').waitFor()
    })
  })
}
