// The way of docs/sealed.md with the real programs: from an empty folder to the first sealed answer, to another operator of the gateway, and
// to a device that is revoked.

import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../harness/processes/gateway-process.ts'
import { runSeal, startSealProxy } from '../harness/processes/seal-process.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { signInOwner } from '../harness/sign-in-owner.ts'
import { startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'

const MODEL = 'tiny'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ASK = {
  model: MODEL,
  temperature: 0,
  messages: [{ role: 'user', content: 'What is the capital of Italy?' }],
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming
const SETTINGS = { ACCESS_POLL_MS: '100', DRAIN_MS: '1' }

const system = await startSystem({ devices: 'none', settings: SETTINGS })
let gateway: GatewayProcess = system.gateway
const device = await startTinyDevice(system, MODEL)
const home = await mkdtemp(join(tmpdir(), 'hearth-seal-'))
const place = { home, gateway: system.origin, apiKey: system.keys.home }
const path = `/organizations/${system.organizations.home}/sealing`
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
  await removeFolder(home)
})

/** Its proxy is new, so it knows the newest list. */
async function askSealed(): Promise<string | null | undefined> {
  await using proxy = await startSealProxy(place)
  const openai = new OpenAI({ baseURL: proxy.baseURL, apiKey: system.keys.home, maxRetries: 0 })
  const { choices } = await openai.chat.completions.create(ASK)
  return choices[0]?.message.content
}

async function runAdmin(...words: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'packages/gateway/src/admin/main.ts'), ...words])
}

/** At the same address, with what the backup holds. */
async function handOver(backup: string): Promise<void> {
  const folder = join(await mkdtemp(join(home, 'operator-')), 'gateway')
  await gateway.stop()
  await runAdmin('restore', backup, '--data', folder)
  const { port } = new URL(system.origin)
  gateway = await startGateway({ ...SETTINGS, PORT: port, DATABASE_URL: `embedded:${folder}` })
}

it('an administrator makes a seal and approves a device, which then answers an SDK, at any operator, until it is revoked', async () => {
  const [seal] = /hs-[\w-]+/.exec(await runSeal(['init'], place)) ?? []
  const owner = await signInOwner(system)
  expect((await owner.send('PATCH', path, { seal, mode: 'required' })).status).toBe(204)

  const approved = await runSeal(['approve', '--yes'], place)
  const [, words = 'none'] = /Fingerprint: ([a-z ]+)/.exec(approved) ?? []
  expect(words.split(' ')).toHaveLength(8)
  expect(await device.command('status')).toContain(words)
  expect(approved).toContain('Approved 1 device')

  // The code that the device may run is named from these sources, and the device pins the seal.
  expect(await runSeal(['app', ROOT, '--yes'], place)).toContain('Named hearth-device')
  expect(await runSeal(['app'], place)).toMatch(/hearth-device .*: named by the seal/)
  expect(await device.command('seal', seal!)).toContain(`Pinned the seal of your organization: ${seal}`)
  expect(await device.command('status')).toContain('Installs only code that the seal of your organization names')

  expect(await askSealed()).toContain('Rome')
  const plain = await system.client.post(ASK)
  expect(plain.json).toMatchObject({ error: { code: 'sealed_required' } })

  // Somebody else runs the gateway now: nobody has to do anything.
  const backup = join(home, 'hearth.backup')
  await runAdmin('backup', '--with-key', backup, '--data', system.folder)
  await handOver(backup)
  expect(await askSealed()).toContain('Rome')

  expect(await runSeal(['revoke', 'real', '--yes'], place)).toContain('Revoked "real"')
  await expect(askSealed()).rejects.toMatchObject({
    status: 503,
    code: 'model_unavailable',
    message: expect.stringMatching(/approve/),
  })
  // The next one brings back the time when the device was approved. Nobody who saw the newer list believes it.
  await handOver(backup)
  await expect(askSealed()).rejects.toMatchObject({ message: expect.stringMatching(/older|newer/) })
})
