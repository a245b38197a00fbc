// The installer: on a machine with nothing but npm, one command installs the app from the gateway, logs in and starts it. It runs on the
// machine's own Node, so it and everything it imports must work on Node 20.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findCredential } from '../state/credential.ts'
import { rememberedRoots } from '../state/pinned-seal.ts'
import { writeAtomic } from '@hearth/command-line/files/write-atomic'
import { appFolder, runFile, type AppFolder } from '@hearth/command-line/install/app-folder'
import { installCurrent } from '@hearth/command-line/install/install-current'
import { runInstaller } from '@hearth/command-line/install/installer'
import { DEVICE_APP } from '@hearth/command-line/install/program'
import { untilEnded } from '@hearth/command-line/processes/child-end'
import { leaveSignalsToChild } from '@hearth/command-line/processes/stop-signals'
import { HELP, readInstallOptions, type InstallOptions } from './install-options.ts'
import type { Screen } from '@hearth/command-line/terminal/screen'

type Environment = Record<string, string | undefined>

await runInstaller(HELP, readInstallOptions, install)

async function install(options: InstallOptions, screen: Screen): Promise<number> {
  const environment = appEnvironment(options)
  const folder = appFolder(options.home, DEVICE_APP)
  const roots = rememberedRoots(join(options.home, 'pinned-seal.json'))
  const name = await installCurrent(options.gateway, folder, environment, screen, { roots, isYes: options.isYes })
  const app = runFile(folder.version(name))
  rememberInsecure(options)
  return (await logIn(app, options, environment, screen)) || (await serve(app, folder, options, environment, screen))
}

/** Keeps an existing login to this gateway, unless there is a token for a new one. */
async function logIn(app: string, options: InstallOptions, environment: Environment, screen: Screen) {
  const { gateway, home, token, name, seal } = options
  const known = token === undefined ? findCredential(join(home, 'credential.json')) : undefined
  if (known?.gateway === gateway.href) {
    screen.line('good', `This machine is already device "${known.name}"`)
    return 0
  }
  const words = ['login', gateway.href, '--installing', ...flag('--name', name), ...flag('--seal', seal)]
  return runApp(app, words, { ...environment, ...(token !== undefined && { HEARTH_DEVICE_TOKEN: token }) })
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value]
}

async function serve(
  app: string,
  folder: AppFolder,
  { model, next }: InstallOptions,
  environment: Environment,
  screen: Screen,
) {
  const code = model === undefined ? 0 : await runApp(app, ['models', 'pull', model], environment)
  if (code !== 0) return code
  if (next === 'start') return becomeApp(app, ['start'], environment)
  if (next === 'service') return runApp(app, ['service', 'install'], environment)
  screen.line('info', `To start it: ${folder.command} start (or, to run it in the background: service install)`)
  return 0
}

/** The app runs for months, so where Node can replace itself, the installer doesn't stay in memory beside it. */
function becomeApp(app: string, words: readonly string[], environment: Environment): Promise<number> {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined)
  process.execve?.(app, [app, ...words], Object.fromEntries(given))
  return runApp(app, words, environment)
}

async function runApp(app: string, words: readonly string[], environment: Environment): Promise<number> {
  const isWindows = process.platform === 'win32'
  const quote = (word: string): string => (isWindows ? `"${word.replaceAll('"', '')}"` : word)
  const child = spawn(quote(app), words.map(quote), { env: environment, stdio: 'inherit', shell: isWindows })
  const listenAgain = leaveSignalsToChild(child)
  const end = await untilEnded(child)
  listenAgain()
  if (end.name === 'failed') throw new Error(end.message)
  return end.name === 'exited' ? end.code : 1
}

function appEnvironment({ home, allowInsecure }: InstallOptions): Environment {
  const { HEARTH_DEVICE_TOKEN: _token, ...environment } = process.env
  return {
    ...environment,
    HEARTH_DEVICE_HOME: home,
    ...(allowInsecure && { HEARTH_DEVICE_ALLOW_INSECURE: 'true' }),
  }
}

/** Saves the choice as a setting, because the app checks it at every start. */
function rememberInsecure({ home, allowInsecure }: InstallOptions): void {
  const settings = join(home, 'settings.toml')
  const hasSettings = existsSync(settings) || existsSync(join(home, 'settings.json'))
  if (allowInsecure && !hasSettings) writeAtomic(settings, 'allow-insecure = true\n')
}
