import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { testAuthority } from '@hearth/command-line/testing/test-authority'
import { startTunnelProxy } from '@hearth/command-line/testing/tunnel-proxy'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Recommendations } from './commands/models/recommend.ts'
import { runDevice } from './commands/program.ts'
import { saveRegistry } from './models/registry/registry.ts'
import { saveCredential } from './state/credential.ts'
import { stateFolder } from './state/folder.ts'
import { LogFile } from './state/log-file.ts'
import { writeStatus, type DeviceStatus } from './state/status-file.ts'
import { makeGguf } from './testing/make-gguf.ts'
import { startStandInHub } from './testing/stand-ins/hub.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { readPullLine } from './terminal/json-pull.ts'
import { APP_VERSION } from './version.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** Commands listen for them until their process ends. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface Result {
  stdout: string
  stderr: string
  code: number
}

async function runProcess(words: string[], environment: NodeJS.ProcessEnv = {}): Promise<Result> {
  const env = { ...process.env, HOME: scratchFolder(), NODE_NO_WARNINGS: '', ...environment }
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { stdout, stderr, code: code as number }
}

/** The same without starting a process for each command. */
async function run(words: string[], environment: NodeJS.ProcessEnv = {}): Promise<Result> {
  const said = { stdout: '', stderr: '' }
  const home = join(scratchFolder(), '.hearth-device')
  const waiting = SIGNALS.map((signal) => new Set(process.listeners(signal)))
  const code = await runDevice(words, {
    environment: { PATH: process.env['PATH'], HEARTH_DEVICE_HOME: home, ...environment },
    stdout: { write: (more) => (said.stdout += more) },
    stderr: { write: (more) => (said.stderr += more) },
  })
  for (const [index, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal)) if (!waiting[index]!.has(listener)) process.off(signal, listener)
  return { ...said, code }
}

async function helpOf(path: readonly string[]): Promise<string> {
  const { code, stdout } = await run([...path, '--help'])
  expect(code).toBe(0)
  return stdout
}

function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help) ?? []
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help')
}

interface Answer {
  status: number
  body: unknown
}

const LOGIN = { device: 'device-1', organization: 'organization-1', credential: 'very-secret' }
const CODES: Answer = {
  status: 200,
  body: { device_code: 'long', user_code: 'BCDF-GHJK', verification_uri: 'https://h/device', interval: 0.01 },
}
const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message } },
})

/** Gives these answers, one after the other. */
async function startGateway(...answers: Answer[]) {
  const asked: { url: string | undefined; body: unknown }[] = []
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push({ url: request.url, body: JSON.parse(await text(request)) })
    const { status, body } = answers.shift()!
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  return { url: await serveHere(createServer((request, response) => void reply(request, response))), asked }
}

function loginIn(home: string): unknown {
  return JSON.parse(readFileSync(join(home, 'credential.json'), 'utf8'))
}

/** A model file of the owner. */
function ownModel(): string {
  const path = join(scratchFolder(), 'mine.gguf')
  writeFileSync(path, makeGguf())
  return path
}

describe('hearth-device', () => {
  it('has help with examples for every command, and with all flags', async () => {
    const withoutExamples: string[] = []
    const visit = async (path: readonly string[]): Promise<void> => {
      const help = await helpOf(path)
      if (!help.includes('\nExamples:\n')) withoutExamples.push(path.join(' '))
      for (const command of commandsIn(help)) await visit([...path, command])
    }
    await visit([])
    expect(withoutExamples).toEqual([])
    const start = await helpOf(['start'])
    for (const flag of ['--slots', '--gpu-layers', '--hours', '--no-keep-awake', '--without-features'])
      expect(start).toContain(flag)
  })

  it.each([
    [['strat'], 2, /Did you mean start/],
    [['login'], 2, /missing required argument/],
    [['start', '--slots', 'many'], 1, /Invalid value "many" for --slots/],
    [['start'], 1, /not logged in[\s\S]*hearth-device login/],
    [['login', 'http://hearth.example.com', '--token', 'x'], 1, /not be encrypted/],
    [['login', 'http://127.0.0.1:9', '--token', 'x'], 1, /Can't reach the gateway/],
    [['login', 'http://127.0.0.1:9'], 1, /Can't reach the gateway/],
    [['models', 'pull', 'no-such-file'], 1, /no such file[\s\S]*for example/],
    [['models', 'remove', 'x'], 1, /no model "x"/],
    [['update'], 1, /not installed from a gateway[\s\S]*git pull/],
  ])('explains what is wrong with %o without a stack trace, and exits with %i', async (words, code, message) => {
    const result = await run(words)
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/\n\s+at /)
    expect(result.code).toBe(code)
  })

  it('ends its process with the code of the command', async () => {
    const { stderr, code } = await runProcess(['start'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^✗ .*not logged in.*\n· → .*\n$/)])
  })

  it('logs in with a one-time token, under the name that the gateway gave it, and does not print the credential', async () => {
    const home = join(scratchFolder(), 'state')
    const gateway = await startGateway({ status: 200, body: { ...LOGIN, name: 'studio 2' } })
    const { stdout, code } = await run(['--home', home, 'login', gateway.url, '--name', 'studio'], {
      HEARTH_DEVICE_TOKEN: 'once',
    })
    expect(code).toBe(0)
    const machine = expect.objectContaining({ cores: expect.any(Number), memoryBytes: expect.any(Number) })
    const body = { token: 'once', name: 'studio', app: APP_VERSION, machine }
    expect(gateway.asked).toEqual([{ url: '/device/v1/enrol', body }])
    expect(stdout).toContain('This machine is now device "studio 2"')
    expect(stdout).not.toContain('very-secret')
    expect(statSync(join(home, 'credential.json')).mode & 0o777).toBe(0o600)
    expect(loginIn(home)).toMatchObject({ credential: 'very-secret', name: 'studio 2', gateway: `${gateway.url}/` })
  })

  it('logs in without a token: shows a code and waits until someone approves it', async () => {
    const home = join(scratchFolder(), 'state')
    const pending = { status: 400, body: { error: { code: 'authorization_pending', message: 'not yet' } } }
    const gateway = await startGateway(CODES, pending, pending, { status: 200, body: LOGIN })
    const { stdout, code } = await run(['--home', home, 'login', gateway.url, '--name', 'studio'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Open https:\/\/h\/device and enter the code BCDF-GHJK\n[\s\S]*"studio"/)
    expect(gateway.asked.map(({ url }) => url)).toEqual([
      '/device/v1/authorize',
      ...Array.from({ length: 3 }, () => '/device/v1/token'),
    ])
    const [app, system, machine] = [expect.any(String), expect.any(String), expect.any(Object)]
    expect(gateway.asked[0]?.body).toMatchObject({ name: 'studio', app, system, machine })
    expect(loginIn(home)).toMatchObject(LOGIN)
  })

  const FULL = 'Cannot add a device: the organization has 2 of 2 allowed devices. Remove devices that you do not use'
  it.each([
    [
      'its code was denied',
      [CODES],
      refusal(400, 'access_denied', 'The code was denied'),
      /denied[\s\S]*run login again/,
    ],
    ['its organization takes no more devices, with a code', [CODES], refusal(409, 'quota_exceeded', FULL), FULL],
    ['its organization takes no more devices, with a token', [], refusal(409, 'quota_exceeded', FULL), FULL],
    [
      'its token is rejected',
      [],
      refusal(401, 'used', 'This token was used already'),
      /already[\s\S]*ask for a new one/,
    ],
  ])('says that %s, and keeps the old login', async (_, before, refused, message) => {
    const home = join(scratchFolder(), 'state')
    const old = { gateway: 'https://old', device: 'd', organization: 'o', name: 'studio', credential: 'old' }
    saveCredential(join(home, 'credential.json'), old)
    const gateway = await startGateway(...before, refused)
    const token = before.length === 0 ? ['--token', 'once'] : []
    const { stderr, code } = await run(['--home', home, 'login', gateway.url, ...token])
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect(loginIn(home)).toEqual(old)
  })

  it('adds, lists and removes models', async () => {
    const home = join(scratchFolder(), 'state')
    const path = ownModel()
    const added = await run(['--home', home, 'models', 'add', path, '--as', 'chat', '--slots', '3'])
    expect(added.stdout).toContain('chat is ready')
    const listed = await run(['--home', home, 'models', 'list'])
    expect(listed.stdout).toMatch(
      /NAME\s+SIZE\s+QUANT\s+DIGEST\s+CONTEXT\s+STATE\s+LAST USED\s+KEEP-ALIVE\s+SOURCE\nchat\s.*\s[0-9a-f]{12}\s+2,048\s+ready\s+never\s+30m\s/,
    )
    const json = await run(['--home', home, 'models', 'list', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject([{ name: 'chat', path, slots: 3 }])
    expect((await run(['--home', home, 'models', 'verify', 'chat'])).stdout).toContain('chat: checksum OK')
    writeFileSync(path, Buffer.concat([makeGguf(), Buffer.from('more')]))
    const verified = await run(['--home', home, 'models', 'verify'])
    expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining(`${path} has changed`)])
    await run(['--home', home, 'models', 'remove', 'chat'])
    expect(await run(['--home', home, 'models', 'list'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('No models yet'),
    })
  })

  it('adds a model for which somebody still names a draft, and says that there are none', async () => {
    const home = join(scratchFolder(), 'state')
    const words = ['--home', home, 'models', 'add', ownModel(), '--as', 'chat', '--draft', 'small']
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout]).toEqual([0, expect.stringContaining('chat is ready')])
    expect(stderr).toContain('--draft has no effect anymore: draft models made replies no faster')
  })

  it('prints the steps of a pull as JSON', async () => {
    const { stdout } = await run(['models', 'pull', ownModel(), '--as', 'chat', '--json'])
    expect(stdout.trim().split('\n').map(readPullLine)).toEqual([
      { type: 'step', text: 'Verifying mine.gguf…' },
      { type: 'ready', name: 'chat', bytes: makeGguf().length },
    ])
  })

  it('keeps and shows how long a model stays in memory', async () => {
    const home = join(scratchFolder(), 'state')
    const path = ownModel()
    const models = (...words: string[]) => run(['--home', home, 'models', ...words])
    await models('add', path, '--as', 'chat', '--keep-alive', '2h')
    expect((await models('list')).stdout).toMatch(/never\s+2h\s/)
    expect((await models('keep', 'chat', 'always')).stdout).toContain('chat: keep-alive is now always')
    expect((await models('list')).stdout).toMatch(/never\s+always\s/)
    const wrong = await models('keep', 'chat', 'long')
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('use a time like 30m or 2h, always or never'),
    ])
    expect((await models('keep', 'other', '1h')).stderr).toContain('There is no model "other" on this machine')
  })

  it('recommends a model that suits this machine, and creates nothing', async () => {
    const hub = await startStandInHub()
    onTestFinished(() => hub.stop())
    const home = join(scratchFolder(), 'state')
    const recommend = async (...words: string[]) =>
      run(['--home', home, 'models', 'recommend', ...words], { HEARTH_DEVICE_HUB: hub.url })
    const { code, stdout } = await recommend()
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /The best model for this machine: .+ \((\S+)\), [\d.]+ [GM]B download\. Fits .+ of 8K, about \d+ tokens\/s/,
    )
    expect(stdout).toMatch(/→ hearth-device models pull \S+/)
    expect(stdout).not.toContain("Can't reach")
    const json = async () => JSON.parse((await recommend('--json')).stdout) as Recommendations
    const before = await json()
    expect(before).toMatchObject({ recommended: { isHere: false }, isHubReachable: true })
    expect(existsSync(home)).toBe(false)
    const name = before.recommended?.name ?? ''
    saveRegistry(stateFolder(home).registry, [{ name, source: name, path: '/x.gguf', bytes: 1 }])
    expect((await json()).recommended).toEqual({ ...before.recommended, isHere: true })
    hub.isAway = true
    expect((await recommend()).stdout).toContain("Can't reach 127.0.0.1")
  })

  it('deletes only the files of models that it downloaded', async () => {
    const home = join(scratchFolder(), 'state')
    const own = join(scratchFolder(), 'mine.gguf')
    const downloaded = join(home, 'models', 'downloaded.gguf')
    mkdirSync(join(home, 'models'), { recursive: true })
    for (const path of [own, downloaded]) {
      writeFileSync(path, makeGguf())
      expect((await run(['--home', home, 'models', 'add', path, '--as', 'chat'])).code).toBe(0)
      expect((await run(['--home', home, 'models', 'remove', 'chat'])).code).toBe(0)
    }
    expect([existsSync(own), existsSync(downloaded)]).toEqual([true, false])
  })

  it('downloads models through the proxy in the environment', async () => {
    const authority = await testAuthority()
    const asked: string[] = []
    const hub = createSecureServer(await authority.issue(['models.test']), (request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(200, { etag: '"x"' }).end(makeGguf())
    })
    const { port } = new URL(await serveHere(hub))
    const proxy = await startTunnelProxy({ names: { 'models.test': '127.0.0.1' } })
    const { stdout } = await runProcess(['models', 'pull', `https://models.test:${port}/model.gguf`], {
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: authority.file,
    })
    expect(stdout).toContain('model is ready')
    expect(new Set(asked)).toEqual(new Set(['/model.gguf']))
    expect(new Set(proxy.tunnels)).toEqual(new Set([`models.test:${port}`]))
  })

  it('says that the app is not running, also by exit code 3', async () => {
    const { stdout, code } = await run(['status'])
    expect(stdout).toContain('is not running')
    expect(code).toBe(3)
    expect((await run(['status', '--json'])).stdout).toBe('{"isRunning":false}\n')
  })

  it('has the running app accept blocked requests again, and exits with 3 if it is not running', async () => {
    const state = stateFolder(scratchFolder())
    const unblock = () => run(['--home', state.path, 'unblock'])
    expect((await unblock()).code).toBe(3)
    const models = [{ name: 'a', state: 'serving', busy: 0, blocked: { requests: 2, why: 'SIGSEGV', until: 'soon' } }]
    const status = { pid: process.pid, updatedAt: new Date().toISOString(), models }
    writeStatus(state.status, status as unknown as DeviceStatus)
    expect(await unblock()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 requests accepted again') })
    expect(existsSync(state.unblock)).toBe(true)
  })

  it('shows the last lines of the app, and follows new ones until nobody reads them', async () => {
    const home = scratchFolder()
    const log = new LogFile()
    log.open(join(home, 'app.log'))
    for (const text of ['one', 'two', 'three']) log.add('warn', text)
    log.flush()
    const last = await run(['--home', home, 'logs', '--lines', '2'])
    expect(last.stdout).toMatch(/^! \S+ \S+ two\n! \S+ \S+ three\n$/)
    const child = spawn(process.execPath, [MAIN, '--home', home, 'logs', '--follow'], {
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const writing = setInterval(() => {
      log.add('info', 'more')
      log.flush()
    }, 100)
    onTestFinished(() => clearInterval(writing))
    expect((await exited)[0]).toBe(0)
  })

  it('shows the settings in effect and where they come from, also as JSON, without secrets', async () => {
    const environment = { HEARTH_DEVICE_SLOTS: '2', HEARTH_DEVICE_HUB_TOKEN: 'very-secret' }
    const { stdout: shown } = await run(['settings'], environment)
    expect(shown).toMatch(/slots\s+2\s+HEARTH_DEVICE_SLOTS/)
    expect(shown).toMatch(/threads\s+automatic\s+default/)
    expect(shown).toMatch(/hours\s+not set\s+default/)
    const { stdout } = await run(['settings', '--json'], environment)
    const { stateFolder, settings } = JSON.parse(stdout) as { stateFolder: string; settings: { name: string }[] }
    expect(stateFolder).toContain('hearth-device')
    const slots = { name: 'slots', value: '2', origin: 'HEARTH_DEVICE_SLOTS', variable: 'HEARTH_DEVICE_SLOTS' }
    expect(settings.find(({ name }) => name === 'slots')).toEqual(slots)
    expect(shown + stdout).not.toContain('very-secret')
  })

  it('prints what doctor found as JSON', async () => {
    const { stdout, code } = await run(['doctor', '--plan', 'all', '--json'])
    expect(code).toBe(0)
    const { isSound, findings } = JSON.parse(stdout) as { isSound: boolean; findings: unknown[] }
    expect(isSound).toBe(true)
    expect(findings).toContainEqual({ level: 'info', text: expect.any(String) })
  })
})
