// Runs one command of `hearth`.

import { explainError } from '@hearth/command-line/errors'
import { runProgram } from '@hearth/command-line/program/commands'
import { withCommandName } from '@hearth/command-line/terminal/command-name'
import { commandToPrint } from './installed/command-to-print.ts'
import { UsageError } from './start/options.ts'
import { PROGRAM, type Shell } from './commands/program.ts'
import { sayTo } from './commands/say.ts'

const FAILURE = 1
const WRONG_INPUT = 2
/** Programs with arguments and an exit code of their own. */
const TOOLS: Readonly<Record<string, () => string>> = {
  device: () => import.meta.resolve('@hearth/device/main'),
  seal: () => import.meta.resolve('@hearth/seal/main'),
  admin: () => import.meta.resolve('@hearth/gateway/admin/main'),
}

/** Returns the exit code; undefined if the command takes care of it itself. */
export async function runHearth(words: readonly string[]): Promise<number | undefined> {
  const [name = '--help', ...rest] = words
  if (name === 'help') return runHearth([...rest, '--help'])
  // A reader such as `head` may end first; nobody is left to read an error.
  process.stdout.on('error', () => process.exit())
  // Node may have been told to use proxies for everything, also for the gateway on this machine.
  if (process.env['NODE_USE_ENV_PROXY'] !== undefined)
    (await import('@hearth/command-line/gateway/prepare-network')).useProxies(process.env)
  const main = TOOLS[name]
  return main === undefined ? runOwn([name, ...rest]) : runTool(name, main(), rest)
}

async function runTool(name: string, main: string, words: readonly string[]): Promise<undefined> {
  process.env['HEARTH_COMMAND'] = `${commandToPrint(process.env)} ${name}`
  process.argv = [...process.argv.slice(0, 2), ...words]
  await import(main)
}

async function runOwn(words: readonly string[]): Promise<number> {
  const command = commandToPrint(process.env)
  const world = {
    environment: process.env,
    stdout: withCommandName(process.stdout, 'hearth', command),
    stderr: withCommandName(process.stderr, 'hearth', command),
  }
  const [name = ''] = words
  try {
    if (!name.startsWith('-') && !PROGRAM.commands.some((known) => known.name === name)) await suggest(words)
  } catch (error) {
    return explain(error)
  }
  return runProgram(PROGRAM, words, world, () => ({ say: sayTo(process.stdout), complete }), explain)
}

async function complete(shell: Shell): Promise<string> {
  return (await import('./completion/completion.ts')).printCompletion(shell)
}

function explain(error: unknown): number {
  if (!(error instanceof Error)) throw error
  sayTo(process.stderr)(explainError(error))
  return error instanceof UsageError ? WRONG_INPUT : FAILURE
}

/** People leave out `device` or `admin`. Of mistyped words, commander finds the one that is meant. */
async function suggest(words: readonly string[]): Promise<void> {
  const { pathsEndingIn } = await import('./completion/command-tree.ts')
  const paths = pathsEndingIn(words)
  const known = paths.map((path) => `hearth ${path}`).join(' or ')
  if (known !== '')
    throw new UsageError(`There is no command "${words[0]}". Did you mean ${known}? For all commands: hearth --help`)
}
