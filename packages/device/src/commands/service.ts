// Puts the device app among the services of the system, or takes it away.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { DeviceError } from '../errors.ts'
import { findInstalled } from '../install/installed.ts'
import { serviceFile, type ServiceFile } from '../service/service-file.ts'
import { runCommand } from '../system/run-command.ts'
import type { Context } from './context.ts'

const COMMAND_MS = 60_000

export async function installService({ isPrint }: { isPrint: boolean }, context: Context): Promise<void> {
  const file = describe(context)
  if (isPrint) return void context.world.stdout.write(`${file.path}\n\n${file.content}`)
  mkdirSync(dirname(file.path), { recursive: true })
  const mark = file.encoding === 'utf16le' ? '\uFEFF' : ''
  writeFileSync(file.path, mark + file.content, file.encoding)
  for (const command of file.install) await runOrExplain(command, file)
  context.screen.line('good', `the device app is a service now (${file.path})`)
  context.screen.line('info', file.hint)
}

export async function uninstallService(context: Context): Promise<void> {
  const file = describe(context)
  for (const [command = '', ...args] of file.uninstall) await runCommand(command, args, { timeoutMs: COMMAND_MS })
  rmSync(file.path, { force: true })
  context.screen.line('good', 'the device app is no longer a service')
}

/** Undefined on systems we know no services of. An installed app is started by its command, which stays the same when it is updated. */
export function describeService({ state, settings }: Context): ServiceFile | undefined {
  const installed = findInstalled(state.path)
  const program = {
    command: installed ? [installed.folder.command] : [process.execPath, join(import.meta.dirname, '../main.ts')],
    home: state.path,
    drainSeconds: settings.drainSeconds,
  }
  return serviceFile(program, process.platform, userInfo().uid)
}

function describe(context: Context): ServiceFile {
  const file = describeService(context)
  if (file === undefined)
    throw new DeviceError(`There is no service for ${process.platform} yet`, 'start it with: hearth-device start')
  return file
}

async function runOrExplain([command = '', ...args]: readonly string[], file: ServiceFile): Promise<void> {
  const { code, stderr } = await runCommand(command, args, { timeoutMs: COMMAND_MS })
  if (code === 0) return
  const why = code === undefined ? `${command} is not there` : stderr.trim().split('\n').at(-1)
  throw new DeviceError(
    `Cannot install the service: ${[command, ...args].join(' ')} failed: ${why}`,
    `the file is at ${file.path}; service uninstall takes it away`,
  )
}
