// `npm run first-run`: what a new user does first, with times and pictures in docs/pictures/first-run. `--width 390 --dark --out <folder>`
// shows the same on another screen. HEARTH_STARTER_GGUF names a copy of the starter model's file; without it, the devices download the model
// as they would for a user. The second model comes from a stand-in for the hub.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { startStandInHub } from '@hearth/device/testing'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../console/harness/browser.ts'
import { anotherMachine, type AnotherMachine, type Pasted } from '../harness/processes/another-machine.ts'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { freePort } from '@hearth/gateway/local-servers'
import { startLauncher } from '../harness/processes/launcher-process.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { Album } from './album.ts'
import { showTerminal } from './show-terminal.ts'

const { values: screen } = parseArgs({
  options: {
    width: { type: 'string', default: '1440' },
    dark: { type: 'boolean', default: false },
    out: { type: 'string', default: fileURLToPath(new URL('../../docs/pictures/first-run', import.meta.url)) },
  },
})
/** Phones are taller than wide. */
const isPhone = Number(screen.width) < 700
const STARTER = process.env['HEARTH_STARTER_GGUF']
const QUESTION = 'Explain in three sentences why the sky is blue.'
const PASSWORD = 'correct horse battery'

const data = await mkdtemp(join(tmpdir(), 'hearth-first-run-'))
await placeStarter(join(data, 'device'))
const port = String(await freePort())
await using browser = await launchBrowser()
const terminal = await newPage(browser)
const page = await newPage(browser)

const hub = await startStandInHub({
  'acme/capitals-GGUF': { files: { 'capitals-Q4_K_M.gguf': await readFile(TINY_PATH) } },
})
const album = await Album.start(screen.out)
{
  // Only what the launcher downloads: the second device gets its model from the first one.
  const environment =
    STARTER === undefined ? {} : { HEARTH_DEVICE_HUB: hub.url, HEARTH_DEVICE_ALLOW_LOCAL_DOWNLOADS: 'true' }
  await using launcher = startLauncher(['--port', port, '--data', data], environment)
  const [, link] = await launcher.heard(/Console +(http\S+)[\s\S]*Press Ctrl-C to stop/)
  await showTerminal(terminal, 'npm start', launcher.output())
  await album.take(terminal, 'start', '`npm start` prints a link to the console')
  await createAccount(link!)
  await chat()
  await tryKey(await createKey())
  using machine = anotherMachine()
  const device = await addDevice(machine)
  if (STARTER !== undefined) await addModel()
  await inviteMember()
  await seeUsage()
  await device.interrupt()
}
await album.writePage(
  STARTER === undefined
    ? 'The starter model was downloaded during the run.'
    : 'The starter model was already on the disk.',
)
await hub.stop()
await removeFolder(data)

/** A device finds the file where its own download would have put it. */
async function placeStarter(deviceHome: string): Promise<void> {
  if (STARTER === undefined) return
  await mkdir(join(deviceHome, 'models'), { recursive: true })
  await cp(STARTER, join(deviceHome, 'models', basename(STARTER)))
}

async function newPage(from: Browser): Promise<Page> {
  const context = await from.newContext({
    colorScheme: screen.dark ? 'dark' : 'light',
    viewport: { width: Number(screen.width), height: isPhone ? 844 : 900 },
  })
  context.setDefaultTimeout(DEADLINE_MS)
  return context.newPage()
}

async function createAccount(link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor()
  await album.take(page, 'link', 'Open the link')
  await page.getByLabel('Organization').fill('Analytical Engines')
  await fillPerson(page, 'Ada Lovelace', 'ada@example.test')
  await page.getByRole('button', { name: 'Create owner account' }).click()
  await page.getByText('Ready for requests.').waitFor()
  await album.take(page, 'account', 'Create the owner account; the model is ready')
}

async function fillPerson(form: Page, name: string, email: string): Promise<void> {
  await form.getByLabel('Your name').fill(name)
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password').fill(PASSWORD)
}

async function chat(): Promise<void> {
  await openPage('Playground')
  await page.getByRole('button', { name: QUESTION }).click()
  await page
    .getByRole('article', { name: 'Response' })
    .getByText(/Complete|Reached the token limit/)
    .first()
    .waitFor()
  await album.take(page, 'answer', 'Get the first answer in the playground')
}

/** The curl command that the console shows for the new key. */
async function createKey(): Promise<string> {
  await openPage('Keys')
  await page.getByRole('button', { name: 'Create a key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('My first app')
  await page.getByRole('button', { name: 'Create key' }).click()
  const curl = await page.getByLabel('First request', { exact: true }).innerText()
  await album.take(page, 'key', 'Create an API key')
  await page.getByRole('button', { name: "I've copied it" }).click()
  return curl.trim()
}

async function tryKey(curl: string): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', ['-c', curl])
  process.stdout.write(`${stdout}\n`)
  await showTerminal(terminal, curl, stdout)
  await album.take(terminal, 'curl', 'Run the curl command shown with the key')
}

async function addDevice(machine: AnotherMachine): Promise<Pasted> {
  await placeStarter(join(machine.home, '.hearth-device'))
  await openPage('Devices')
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  await page.getByRole('button', { name: 'Create command' }).click()
  const command = await page.getByLabel('Install command', { exact: true }).innerText()
  await album.take(page, 'install-command', 'Create the install command for a second device')
  // Both devices run on this machine, so the second one needs a name of its own.
  const line = `${command.trim()} --name attic`
  const pasted = machine.paste(line)
  await page.getByText(/is connected and serves/).waitFor()
  await album.take(page, 'second-device', 'The second device is connected and serves the model')
  await pasted.heard(/: ready/)
  await showTerminal(terminal, line, pasted.output())
  await album.take(terminal, 'second-device-terminal', 'The model is in the memory of the second device')
  await page.getByRole('button', { name: 'Close' }).last().click()
  return pasted
}

async function addModel(): Promise<void> {
  await openPage('Models')
  await page.getByRole('button', { name: 'Add a model' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Recommended').first().waitFor()
  await album.take(page, 'picker', 'See which models suit the machines')
  await dialog.getByLabel('Search, or paste a link').fill('acme/capitals-GGUF')
  await dialog.getByRole('list', { name: 'Found on the model hub' }).getByRole('button').click()
  await dialog.getByRole('group', { name: 'Devices' }).waitFor()
  await album.take(page, 'look-up', 'Look up a model on the hub')
  await dialog.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('heading', { name: 'Downloads' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page
    .getByRole('row', { name: /capitals/ })
    .getByText('Enabled', { exact: true })
    .waitFor()
  await album.take(page, 'second-model', 'The second model is ready')
}

async function inviteMember(): Promise<void> {
  await openPage('Members')
  await page.getByRole('button', { name: 'Invite someone' }).first().click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Invitation link', { exact: true }).innerText()
  await album.take(page, 'invite', 'Invite a member')
  await page.getByRole('button', { name: 'Done' }).click()
  const guest = await newPage(browser)
  await guest.goto(link.trim())
  await fillPerson(guest, 'Grace Hopper', 'grace@example.test')
  await album.take(guest, 'invitation', 'The member opens the invitation')
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.getByRole('heading', { name: 'Home' }).waitFor()
  await album.take(guest, 'member', 'The member has joined')
}

async function seeUsage(): Promise<void> {
  await openPage('Usage')
  const requests = page.getByRole('table', { name: 'Requests' })
  await requests.getByText('My first app').waitFor()
  await album.take(page, 'usage', 'See the usage')
  await requests.scrollIntoViewIfNeeded()
  await album.take(page, 'requests', 'See the requests from the playground and from curl')
}

async function openPage(name: string): Promise<void> {
  if (isPhone) await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}
