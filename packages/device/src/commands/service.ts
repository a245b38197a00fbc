// Installs or removes the device app as a system service.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from '@hearth/command-line/errors'
import { findInstalled } from '../install/installed.ts'
import { runCommand } from '../system/run-command.ts'
import type { Context } from './context.ts'
import { type ServiceFile, serviceFile } from './service-file.ts'

const COMMAND_MS = 60_000

export async function installService({ isPrint }: { isPrint: boolean }, context: Context): Promise<void> {
  const file = describe(context)
  if (isPrint) return void context.world.stdout.write(`${file.path}\n\n${file.content}`)
  mkdirSync(dirname(file.path), { recursive: true })
  const mark = file.encoding === 'utf16le' ? '\uFEFF' : ''
  writeFileSync(file.path, mark + file.content, file.encoding)
  for (const command of file.install) await runOrExplain(command, file)
  context.screen.line('good', `The device app now runs as a service (${file.path})`)
  context.screen.line('info', file.hint)
}

export async function uninstallService(context: Context): Promise<void> {
  const file = describe(context)
  for (const [command = '', ...args] of file.uninstall) await runCommand(command, args, { timeoutMs: COMMAND_MS })
  rmSync(file.path, { force: true })
  context.screen.line('good', 'The device app no longer runs as a service')
}

/** Undefined on systems without a supported service manager. An installed app starts by its command, which stays the same across updates. */
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
    throw new CommandError(
      `Services are not supported on ${process.platform} yet`,
      'start the app with: hearth-device start',
    )
  return file
}

async function runOrExplain([command = '', ...args]: readonly string[], file: ServiceFile): Promise<void> {
  const { code, stderr } = await runCommand(command, args, { timeoutMs: COMMAND_MS })
  if (code === 0) return
  const why = code === undefined ? `${command} is not installed` : stderr.trim().split('\n').at(-1)
  throw new CommandError(
    `Can't install the service: ${[command, ...args].join(' ')} failed: ${why}`,
    `the service file is ${file.path}; to remove it: hearth-device service uninstall`,
  )
}
