// `hearth-device uninstall`: takes the app off this machine, and everything that it has put there.

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readTrustedClaim } from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import { formatBytes, plural } from '@hearth/command-line/format'
import { confirm } from '@hearth/command-line/terminal/confirm'
import { findInstalled } from '../install/installed.ts'
import { loadRegistry } from '../models/registry/registry.ts'
import { findCredential } from '../state/credential.ts'
import type { StateFolder } from '../state/folder.ts'
import type { Context } from './context.ts'
import { describeService, uninstallService } from './service.ts'
import { stopRunning } from './stop.ts'

/** What other commands put into the state folder. */
const BESIDE_STATE = ['app', 'bin', 'settings.toml', 'settings.json', 'device.log', 'running.json']

export interface UninstallOptions {
  isYes: boolean
  keepsModels: boolean
}

export async function uninstall(options: UninstallOptions, context: Context): Promise<number> {
  const { state, screen } = context
  if (findInstalled(state.path) === undefined) throw notInstalled(state)
  const name = findCredential(state.credential)?.name
  if (!(await agrees(options, context))) {
    screen.line('info', 'Nothing was removed')
    return 1
  }
  const claim = readTrustedClaim(state.path)
  if (claim !== undefined) await stopRunning(claim, context)
  const service = describeService(context)
  if (service !== undefined && existsSync(service.path)) await uninstallService(context)
  const left = removeFiles(state, options)
  screen.line('good', 'The device app is off this machine')
  if (left.length > 0) screen.line('info', `Left in ${state.path}: ${left.join(', ')}`)
  if (name !== undefined)
    screen.line('info', `Your organization still lists this machine → in the console, under Devices, remove "${name}"`)
  return 0
}

async function agrees({ isYes, keepsModels }: UninstallOptions, { state, screen, world }: Context): Promise<boolean> {
  const models = keepsModels ? [] : loadRegistry(state.registry).filter(({ path }) => path.startsWith(state.models))
  const bytes = models.reduce((sum, model) => sum + model.bytes, 0)
  const downloads =
    models.length === 0 ? '' : ` and ${plural(models.length, 'downloaded model')} (${formatBytes(bytes)})`
  screen.line('info', `This removes the device app, its login${downloads} from ${state.path}`)
  if (isYes) return true
  if (world.stdin?.isTTY !== true)
    throw new CommandError('Nobody is here to answer, so nothing was removed', 'to remove it without a question: --yes')
  return confirm('Remove it?', world.stdin, world.stdout)
}

/** Only what is the app's: a person may have put something else into the folder. Returns what is left. */
function removeFiles(state: StateFolder, { keepsModels }: UninstallOptions): string[] {
  const { path, models, ...files } = state
  const kept = keepsModels ? [] : [models]
  const drafts = existsSync(path) ? readdirSync(path).filter((file) => /\.(new|old)$/.test(file)) : []
  const paths = [...Object.values(files), ...kept, ...[...BESIDE_STATE, ...drafts].map((file) => join(path, file))]
  for (const path of paths) remove(path)
  const left = existsSync(path) ? readdirSync(path) : []
  if (left.length === 0 && existsSync(path)) rmdirSync(path)
  return left
}

/** Windows keeps the program that runs. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 })
  } catch {
    // It is listed with what is left.
  }
}

function notInstalled({ path }: StateFolder): CommandError {
  return new CommandError(
    `The device app was not installed into ${path} from a gateway, so there is nothing to uninstall`,
    'to make a checkout forget its device, delete that folder',
  )
}
