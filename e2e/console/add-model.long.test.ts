// Adding, watching, canceling and removing models in the browser, with a real device app and a stand-in for the model hub.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startStandInHub } from '@hearth/device/testing'
import type { ScriptedDevice } from '@hearth/gateway/testing'
import type { Library } from '@hearth/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { startDeviceProcess } from '../harness/processes/device-process.ts'
import { findViolations } from './harness/axe.ts'
import { linkDevice, theOrganization, tokenOf } from './harness/fill.ts'
import { column, toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const HELD_BYTES = 200_000
const WAIT = { timeout: DEADLINE_MS }

const tiny = readFileSync(TINY_PATH)
const hub = await startStandInHub({
  'acme/capitals-GGUF': { files: { 'capitals-Q4_K_M.gguf': tiny } },
  'acme/rivers-GGUF': { files: { 'rivers-Q4_K_M.gguf': tiny, 'rivers-Q8_0.gguf': tiny }, license: 'mit', downloads: 9 },
  'acme/secret-GGUF': { files: { 'secret-Q4_K_M.gguf': tiny }, acceptedBy: ['a token'] },
})
const system = await startConsole()
const page = await system.ownersPage()
const device = await startRealDevice()
const others: ScriptedDevice[] = await linkOthers()
afterAll(async () => {
  for (const other of others) await other[Symbol.asyncDispose]()
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
  await hub.stop()
})

async function startRealDevice() {
  const token = await tokenOf(system.store)
  const model = { path: TINY_PATH, name: 'hearth-tiny' }
  return startDeviceProcess({
    origin: system.origin,
    token,
    model,
    flags: ['--hub', hub.url, '--allow-local-downloads'],
  })
}

/** Devices that can't take a model, each for another reason. */
async function linkOthers(): Promise<ScriptedDevice[]> {
  const { store, origin } = system
  const library: Library = { isOpen: true, diskFreeBytes: 9e10, memoryBytes: 3e9, models: [] }
  const problem = { code: 'unreachable', message: "Can't reach the hub" } as const
  const small = await linkDevice(store, origin, { name: 'Old MacBook', onModelRequest: () => ({ problem }) })
  small.send({ type: 'library', library })
  const closed = await linkDevice(store, origin, { name: "Grace's laptop" })
  closed.send({ type: 'library', library: { ...library, isOpen: false, why: 'its owner turned this off' } })
  const old = await linkDevice(store, origin, { name: 'Lab server' })
  const away = await linkDevice(store, origin, { name: 'Reception iMac' })
  await away[Symbol.asyncDispose]()
  return [small, closed, old]
}

/** A fast machine and a small one, which stay until the end. */
async function linkMachines(): Promise<void> {
  const { store, origin } = system
  const library: Library = { isOpen: true, diskFreeBytes: 5e11, memoryBytes: 24e10, models: [] }
  const found = { name: 'large', source: 'hf:acme/Large-30B-A3B-GGUF', bytes: 18e9, memoryBytes: 19e9 }
  const server = { processor: 'AMD EPYC 9354', cores: 32, memoryBytes: 135e9, gpu: 'NVIDIA H200' }
  const large = await linkDevice(store, origin, {
    name: 'GPU server',
    extraFields: { machine: server },
    onModelRequest: () => ({ found }),
  })
  large.send({ type: 'library', library })
  const laptop = { processor: 'Intel(R) Core(TM) i5-8250U CPU', cores: 2, memoryBytes: 8e9 }
  const small = await linkDevice(store, origin, { name: 'Kitchen laptop', extraFields: { machine: laptop } })
  small.send({ type: 'library', library: { ...library, memoryBytes: 6e9 } })
  others.push(large, small)
}

async function stateOf(name: string): Promise<string | undefined> {
  const models = await system.store.listModels(await theOrganization(system.store))
  return models.find((model) => model.name === name)?.state
}

/** The device's files of a model, finished or not. */
function filesOf(name: string): string[] {
  const folder = join(device.home, 'models')
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.includes(name)) : []
}

/** What the hub has of what was typed. */
function onHub(dialog: Locator): Locator {
  return dialog.getByRole('list', { name: 'Found on the model hub' })
}

async function choose(on: Page, reference: string): Promise<Locator> {
  await visit(on, '/models')
  await on.getByRole('button', { name: 'Add a model' }).click()
  const dialog = on.getByRole('dialog')
  await dialog.getByLabel('Search, or paste a link').fill(reference)
  await onHub(dialog).getByRole('button').first().click()
  await dialog.getByRole('group', { name: 'Devices' }).waitFor()
  return dialog
}

/** Leaves the download at HELD_BYTES, with the details of the model open. */
async function startHeld(on: Page, reference: string): Promise<Locator> {
  const reached = hub.files.hold(HELD_BYTES)
  const dialog = await choose(on, reference)
  await dialog.getByRole('button', { name: 'Download', exact: true }).click()
  await reached
  const sheet = on.getByRole('dialog')
  await sheet.getByRole('heading', { name: 'Downloads' }).waitFor()
  return sheet
}

async function isEnabled(name: string): Promise<void> {
  await expect.poll(async () => stateOf(name), WAIT).toBe('enabled')
}

describe('adding a model', () => {
  it('offers well-known models with what they are good at and where they fit', async () => {
    await visit(page, '/models')
    await page.getByRole('button', { name: 'Add a model' }).click()
    const models = page.getByRole('list', { name: 'Models' })
    const search = page.getByLabel('Search, or paste a link')
    await search.and(page.locator(':focus')).waitFor()
    await search.fill('qwen3 alibaba')
    const row = models.getByRole('button', { name: /Qwen3 8B qwen3:8b/ })
    expect(await row.innerText()).toMatch(/all-rounder/)
    expect(await row.innerText()).toMatch(/5\.0 GB/)
    expect(await row.innerText()).toMatch(/Alibaba · Apache 2\.0 · 40K context/)
    expect(await row.innerText()).toMatch(/Old MacBook \(needs .* GB more memory\)/)
    await row.click()
    const devices = page.getByRole('group', { name: 'Devices' })
    await devices.getByText(/^Needs .* GB more memory$/).waitFor()
    await devices.getByText('Its owner turned this off.').waitFor()
    await devices.getByText('Its app is too old for this. Run hearth-device update there.').waitFor()
    await devices.getByText('Offline. Start the device app there.').waitFor()
    expect(await devices.getByLabel("Grace's laptop").isDisabled()).toBe(true)
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('downloads a reference, shows its progress, pauses, resumes and enables it', async () => {
    const dialog = await choose(page, 'hf:acme/capitals-GGUF')
    expect(await dialog.getByLabel('real').isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    const sheet = await startHeld(page, 'hf:acme/capitals-GGUF')
    await sheet.getByText(/^\d+ KB of \d+(\.\d)? [KM]B · /).waitFor()
    await sheet.getByText('Requested by Ada Lovelace').waitFor()
    expect(await stateOf('capitals')).toBe('adding')
    expect(await findViolations(page)).toStrictEqual([])
    await sheet.getByRole('button', { name: 'Pause capitals on real' }).click()
    await sheet.getByText(/^Paused · \d+ KB of/).waitFor()
    hub.files.release()
    await sheet.getByRole('button', { name: 'Resume capitals on real' }).click()
    await isEnabled('capitals')
    await sheet.getByText('This model accepts requests.').waitFor()
    await sheet.getByText('Served by 1 device').waitFor()
    expect(hub.files.ranges.filter((range) => range !== '')).not.toEqual([])
    expect(device.output()).toContain('Ada Lovelace asked in the console to download capitals')
  })

  it('finds models of the hub while someone types, with sizes, fit and license', async () => {
    await visit(page, '/models?dialog=add')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search, or paste a link').pressSequentially('acme')
    const rivers = onHub(dialog).getByRole('button', {
      name: 'acme/rivers-GGUF License: mit · 9 downloads · show sizes',
    })
    await rivers.waitFor()
    expect(await onHub(dialog).getByRole('button').count()).toBe(3)
    expect(await findViolations(page)).toStrictEqual([])
    await rivers.click()
    for (const quant of ['Q4_K_M', 'Q8_0'])
      await onHub(dialog)
        .getByRole('button', { name: new RegExp(`^rivers ${quant} .*tokens/s.* License: mit$`) })
        .waitFor()
    hub.isAway = true
    await dialog.getByLabel('Search, or paste a link').fill('something else')
    await dialog
      .getByRole('alert')
      .getByText(/^None of your devices can reach the model hub\. real: Can't reach 127\.0\.0\.1/)
      .waitFor()
    hub.isAway = false
  })

  it('says in the dialog why a model cannot be found', async () => {
    await visit(page, '/models?dialog=add')
    const dialog = page.getByRole('dialog')
    for (const [reference, reason] of [
      ['hf:acme/nothing-GGUF', /Can't find hf:acme\/nothing-GGUF/],
      ['/etc/passwd', /Can't find the model/],
    ] as const) {
      await dialog.getByLabel('Search, or paste a link').fill(reference)
      await dialog.getByRole('alert').getByText(reason).waitFor()
    }
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('says in the list of downloads why one failed, and lets people cancel it', async () => {
    const dialog = await choose(page, 'hf:acme/secret-GGUF')
    await dialog.getByRole('button', { name: 'Download', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(/requires you to accept a license/).waitFor()
    await sheet.getByRole('button', { name: 'Try again secret on real' }).waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await sheet.getByRole('button', { name: 'Cancel secret on real' }).click()
    await page.getByRole('button', { name: 'Cancel download' }).click()
    await expect.poll(async () => stateOf('secret'), WAIT).toBeUndefined()
    expect(filesOf('secret')).toEqual([])
  })

  it('is one download if two people ask, and both can cancel it', async () => {
    const sheet = await startHeld(page, 'hf:acme/rivers-GGUF')
    const asked = hub.files.ranges.length
    const second = await system.ownersPage()
    await second.goto('/models?open=rivers')
    await second.getByText('Requested by Ada Lovelace').waitFor()
    const dialog = await choose(second, 'hf:acme/rivers-GGUF')
    await dialog.getByText('Already downloading it').waitFor()
    expect(hub.files.ranges.length).toBe(asked)
    await second.goto('/models?open=rivers')
    await second.getByRole('button', { name: 'Cancel rivers on real' }).click()
    await second.getByRole('button', { name: 'Cancel download' }).click()
    await toast(second, 'Download canceled')
    await expect.poll(async () => stateOf('rivers'), WAIT).toBeUndefined()
    await expect.poll(async () => column(page, 'Models', 'Model'), WAIT).not.toContain('rivers')
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => filesOf('rivers'), WAIT).toEqual([])
    hub.files.release()
    await second.context().close()
  })

  it('goes on while the gateway restarts, and the page shows it again', async () => {
    const sheet = await startHeld(page, 'hf:acme/rivers-GGUF')
    await system.stopGateway()
    await system.startGatewayAgain()
    await sheet.getByRole('button', { name: 'Pause rivers on real' }).waitFor()
    hub.files.release()
    await isEnabled('rivers')
    await sheet.getByText('This model accepts requests.').waitFor()
  })

  it('removes a model from a device, and frees its space', async () => {
    expect(filesOf('rivers')).toHaveLength(1)
    await visit(page, '/models?open=rivers')
    await page.getByRole('button', { name: 'Remove from real' }).click()
    await page.getByText(/which frees \d+(\.\d)? [KM]B/).waitFor()
    await page.getByText('No other device serves this model.').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await page.getByLabel('Name', { exact: true }).fill('rivers')
    await page.getByRole('button', { name: 'Remove from device' }).click()
    await toast(page, /of disk space freed/)
    await page.getByText('No device serves this model right now.').waitFor()
    await expect.poll(() => filesOf('rivers'), WAIT).toEqual([])
    await visit(page, '/audit')
    await page
      .getByText(/removed the copy of rivers on real/)
      .first()
      .waitFor()
  })

  it('suggests models for the best device, and says what to expect of the others there', async () => {
    await linkMachines()
    await visit(page, '/models?dialog=add')
    const dialog = page.getByRole('dialog')
    const suggestions = dialog.getByRole('list', { name: 'Suggestions for GPU server' })
    await suggestions
      .getByRole('button', {
        name: /^Recommended .* Fits the GPU with room for \d .*, about \d+ tokens\/s. First token in .* Add$/,
      })
      .waitFor()
    await suggestions.getByRole('button', { name: /^Fast .*, about \d+ tokens\/s/ }).waitFor()
    const fitting = dialog.getByRole('list', { name: 'Fits the GPU', exact: true })
    await fitting.getByRole('button', { name: /Qwen3 32B qwen3:32b .* About \d+ tokens\/s/ }).waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await fitting.getByRole('button', { name: /^Qwen3 8B .* Fits on GPU server \(about \d+ tokens\/s\)/ }).waitFor()
    await suggestions.getByRole('button', { name: /^Recommended/ }).click()
    expect(await dialog.getByLabel('GPU server').isChecked()).toBe(true)
    await dialog.getByText(/^About \d+ tokens\/s, first token in about .* Fits the GPU, 500 GB/).waitFor()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByLabel('Device', { exact: true }).selectOption('Kitchen laptop')
    await dialog.getByRole('list', { name: 'Suggestions for Kitchen laptop' }).getByText('Recommended').waitFor()
    await dialog.getByRole('heading', { name: 'Fits, but slow: less than 5 tokens/s' }).waitFor()
    await dialog
      .getByRole('list', { name: 'Too large' })
      .getByRole('button', { name: /Qwen3 32B/ })
      .waitFor()
  })

  it('compares two models side by side, with the keyboard', async () => {
    await visit(page, '/models?dialog=add')
    const dialog = page.getByRole('dialog')
    for (const title of ['Qwen3 8B', 'Qwen3 32B', 'gpt-oss 20B']) {
      await dialog.getByLabel(`Compare ${title}`).focus()
      await page.keyboard.press('Space')
    }
    const comparison = dialog.getByRole('region', { name: 'Comparison' })
    expect(await comparison.getByRole('columnheader').allInnerTexts()).toEqual(['Qwen3 32B', 'gpt-oss 20B'])
    for (const row of [/^Speed About \d+/, /^First token about/, /^On GPU server Fits/, /^Download 19\.8 GB 12\.1 GB$/])
      await comparison.getByRole('row', { name: row }).waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await comparison.getByRole('button', { name: 'Choose gpt-oss 20B' }).press('Enter')
    await dialog.getByRole('heading', { name: 'Add gpt-oss 20B' }).waitFor()
  })

  it('grades a model that was looked up on the hub', async () => {
    const dialog = await choose(page, 'hf:acme/Large-30B-A3B-GGUF')
    await dialog.getByText(/^About \d+ tokens\/s, first token in about .* Fits the GPU/).waitFor()
    await dialog.getByText('Needs 12 GB more memory').waitFor()
  })

  it('loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
