// The installer: on a machine that has nothing but npm, one line installs the app that the gateway hands out, logs in and starts it. It runs
// on the machine's own Node, so it and all it imports use nothing newer than Node 20.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DeviceError } from '../errors.ts'
import { findCredential } from '../state/credential.ts'
import { writeAtomic } from '../state/write-atomic.ts'
import { appFolder, runFile, type AppFolder } from './app-folder.ts'
import { versionName } from './app-notice.ts'
import { fetchNotice, type Get } from './fetch-app.ts'
import { httpGet } from './http-get.ts'
import { HELP, readInstallOptions, type InstallOptions } from './install-options.ts'
import { installVersion } from './install-version.ts'
import { plainScreen } from './plain-screen.ts'

type Environment = Record<string, string | undefined>

const screen = plainScreen(process.stdout)

try {
  const options = readInstallOptions(process.argv.slice(2), process.env)
  if (options === 'help') process.stdout.write(`${HELP}\n`)
  else process.exitCode = await install(options)
} catch (error) {
  if (!(error instanceof DeviceError)) throw error
  screen.live(undefined)
  const complaints = plainScreen(process.stderr)
  complaints.line('bad', error.message)
  if (error.advice !== undefined) complaints.line('info', `→ ${error.advice}`)
  process.exitCode = 1
}

async function install(options: InstallOptions): Promise<number> {
  refuseOtherSystems()
  const environment = appEnvironment(options)
  const folder = appFolder(options.home)
  const name = await installCurrent(options, folder, environment)
  const app = runFile(folder.version(name))
  rememberInsecure(options)
  return (await logIn(app, options, environment)) || (await serve(app, folder, options, environment))
}

async function installCurrent({ gateway, home }: InstallOptions, folder: AppFolder, environment: Environment) {
  const get: Get = (url, limits) => httpGet(url, { environment: withProxyOfNpm(environment), ...limits })
  const notice = await fetchNotice(gateway, get)
  const name = versionName(notice)
  if (existsSync(runFile(folder.version(name)))) screen.line('good', `the device app ${notice.version} is here already`)
  else {
    await installVersion(gateway, notice, folder, { environment, get, screen })
    screen.line('good', `the device app ${notice.version} is in ${home} and works`)
  }
  folder.choose(name)
  screen.line('info', `its command: ${folder.command}`)
  if (!(environment['PATH'] ?? '').includes(dirname(folder.command)))
    screen.line('info', `to call it by its name: ${pathAdvice(dirname(folder.command))}`)
  return name
}

/** A login at this gateway is kept, unless there is a token for a new one. */
async function logIn(app: string, options: InstallOptions, environment: Environment): Promise<number> {
  const { gateway, home, token, name } = options
  const known = token === undefined ? findCredential(join(home, 'credential.json')) : undefined
  if (known?.gateway === gateway.href) {
    screen.line('good', `this machine is already the device "${known.name}" of organization ${known.organization}`)
    return 0
  }
  const words = ['login', gateway.href, ...(name === undefined ? [] : ['--name', name])]
  return runApp(app, words, { ...environment, ...(token !== undefined && { HEARTH_DEVICE_TOKEN: token }) })
}

async function serve(app: string, folder: AppFolder, { model, next }: InstallOptions, environment: Environment) {
  const code = model === undefined ? 0 : await runApp(app, ['models', 'pull', model], environment)
  if (code !== 0 || next === 'start') return code || runApp(app, ['start'], environment)
  if (next === 'service') return runApp(app, ['service', 'install'], environment)
  screen.line('info', `start it with: ${folder.command} start (service install starts it with the system)`)
  return 0
}

function runApp(app: string, words: readonly string[], environment: Environment): Promise<number> {
  const isWindows = process.platform === 'win32'
  const quote = (word: string): string => (isWindows ? `"${word.replaceAll('"', '')}"` : word)
  const child = spawn(quote(app), words.map(quote), { env: environment, stdio: 'inherit', shell: isWindows })
  // The app finishes its jobs before it ends, and this waits for it. Ctrl-C reaches it from the terminal by itself: told twice, it would
  // not finish them.
  const listeners = { SIGINT: () => {}, SIGHUP: () => {}, SIGTERM: () => void child.kill('SIGTERM') }
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener)
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener)
      resolve(code ?? 1)
    })
  })
}

function appEnvironment({ home, allowInsecure }: InstallOptions): Environment {
  const { HEARTH_DEVICE_TOKEN: _token, ...environment } = process.env
  return {
    ...environment,
    HEARTH_DEVICE_HOME: home,
    ...(allowInsecure && { HEARTH_DEVICE_ALLOW_INSECURE: 'true' }),
  }
}

/** npm may know of a proxy that the environment does not name. */
function withProxyOfNpm(environment: Environment): Environment {
  const { npm_config_https_proxy: secure, npm_config_proxy: plain, npm_config_noproxy: none } = environment
  return {
    ...((secure ?? plain) && { HTTPS_PROXY: secure ?? plain }),
    ...(plain && { HTTP_PROXY: plain }),
    ...(none && { NO_PROXY: none }),
    ...environment,
  }
}

/** The app asks at every start; who allowed it here has answered. */
function rememberInsecure({ home, allowInsecure }: InstallOptions): void {
  const places = ['settings.toml', 'settings.json'].map((name) => join(home, name))
  if (allowInsecure && !places.some((place) => existsSync(place))) writeAtomic(places[0]!, 'allow-insecure = true\n')
}

function pathAdvice(folder: string): string {
  return process.platform === 'win32' ? `setx PATH "%PATH%;${folder}"` : `export PATH="${folder}:$PATH"`
}

/** The engine is built for glibc; on other Linux systems nothing would start, with a message nobody understands. */
function refuseOtherSystems(): void {
  if (process.platform !== 'linux') return
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  if (header.glibcVersionRuntime === undefined)
    throw new DeviceError(
      'The device app does not run on this Linux: it needs glibc, which Alpine and others do not have',
      'use a machine or a container with Debian, Ubuntu, Fedora or another one of that kind',
    )
}
