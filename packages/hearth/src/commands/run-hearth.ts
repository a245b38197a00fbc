// Runs one command of `hearth`.

import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { UsageError } from '../start/options.ts'
import { SHELLS, type CommandEntry, type Shell } from '../help/command-table.ts'
import { findOwn, HELP, helpOf } from '../help/help.ts'

const ownPackage = createRequire(import.meta.url)('../../package.json') as { version: string }
const FAILURE = 1
const WRONG_INPUT = 2

/** Returns the exit code; undefined if the command takes care of it itself. */
export async function runHearth(words: readonly string[]): Promise<number | undefined> {
  const [name = '--help', ...rest] = words
  switch (name) {
    case 'start':
      return (await import('./start.ts')).start(rest).then(() => undefined)
    case 'device':
      return runTool('hearth device', import.meta.resolve('@hearth/device/main'), rest)
    case 'seal':
      return runTool('hearth seal', import.meta.resolve('@hearth/seal/main'), rest)
    case 'admin':
      return runTool('hearth admin', import.meta.resolve('@hearth/gateway/admin/main'), rest)
    default:
      return runOwn(name, rest)
  }
}

/** A program with arguments and an exit code of its own. */
async function runTool(name: string, main: string, words: readonly string[]): Promise<undefined> {
  process.env['HEARTH_COMMAND'] = name
  process.argv = [...process.argv.slice(0, 2), ...words]
  await import(main)
}

async function runOwn(name: string, words: readonly string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) return print(HELP)
  if (name === '--version') return print(ownPackage.version)
  const command = findOwn(name)
  try {
    if (command === undefined) throw new UsageError(`There is no command "${name}". To see all: hearth --help`)
    const { values, positionals } = parse(command, words)
    if (values['help'] === true) return print(helpOf(command))
    return await act(command.name, values, positionals)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(error.message)
    return error instanceof UsageError ? WRONG_INPUT : FAILURE
  }
}

type Values = Record<string, string | boolean | undefined>

async function act(name: string, values: Values, positionals: readonly string[]): Promise<number> {
  const text = (flag: string) => (typeof values[flag] === 'string' ? values[flag] : undefined)
  const data = text('data')
  switch (name) {
    case 'status':
      return (await import('./status.ts')).showStatus({ data, isJson: values['json'] === true })
    case 'open':
      return (await import('./open.ts')).openConsole({ data, isPrint: values['print'] === true })
    case 'logs':
      return (await import('./logs.ts')).showLogs({ data, lines: text('lines'), follows: values['follow'] === true })
    default:
      return print((await import('../completion/completion.ts')).printCompletion(readShell(positionals[0])))
  }
}

function readShell(text: string | undefined): Shell {
  const shell = SHELLS.find((known) => known === text)
  if (shell) return shell
  throw new UsageError(`Name your shell: hearth completion ${SHELLS.join('|')}`)
}

function parse(command: CommandEntry, words: readonly string[]) {
  const flags = command.flags.map(([flag]) => flag.slice(2).split(' '))
  const options = Object.fromEntries(
    flags.map(([name = '', value]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  try {
    return parseArgs({
      args: [...words],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: command.name === 'completion',
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${helpOf(command)}`)
  }
}

function print(text: string): number {
  console.log(text)
  return 0
}
