// Runs one command of `hearth`.

import { CommanderError } from 'commander'
import { withCommandName } from '@hearth/command-line/terminal/command-name'
import { commandToPrint } from '../installed/command-to-print.ts'
import { UsageError } from '../start/options.ts'
import { createProgram, type Values } from '../program/program.ts'
import { sayTo } from './say.ts'

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
  if (name === 'start') return (await import('./start.ts')).start(rest).then(() => undefined)
  // A reader such as `head` may end first; nobody is left to read an error.
  process.stdout.on('error', () => process.exit())
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
  const exit = { code: 0 }
  const program = createProgram({
    stdout: withCommandName(process.stdout, 'hearth', command),
    stderr: withCommandName(process.stderr, 'hearth', command),
    act: async (name, values) => {
      exit.code = await act(name, values)
    },
  })
  try {
    const [name = ''] = words
    if (!name.startsWith('-') && !program.commands.some((known) => known.name() === name)) await suggest(words)
    await program.parseAsync(words, { from: 'user' })
    return exit.code
  } catch (error) {
    // Commander has already printed the message. Help and version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT
    if (!(error instanceof Error)) throw error
    sayTo(process.stderr)(error.message)
    return error instanceof UsageError ? WRONG_INPUT : FAILURE
  }
}

/** People leave out `device` or `admin`. Of mistyped words, commander finds the one that is meant. */
async function suggest(words: readonly string[]): Promise<void> {
  const { pathsEndingIn } = await import('../completion/command-tree.ts')
  const paths = pathsEndingIn(words)
  const known = paths.map((path) => `hearth ${path}`).join(' or ')
  if (known !== '')
    throw new UsageError(`There is no command "${words[0]}". Did you mean ${known}? For all commands: hearth --help`)
}

async function act(name: string, values: Values): Promise<number> {
  const { data } = values
  const say = sayTo(process.stdout)
  switch (name) {
    case 'status':
      return (await import('./status.ts')).showStatus({ data, isJson: values.json === true }, say)
    case 'open':
      return (await import('./open.ts')).openConsole({ data, isPrint: values.print === true })
    case 'logs':
      return (await import('./logs.ts')).showLogs({ data, lines: values.lines, follows: values.follow === true })
    case 'stop':
      return (await import('./stop.ts')).stop(data, say)
    case 'restart':
      return (await import('./stop.ts')).restart(data, say)
    case 'uninstall':
      return (await import('./uninstall.ts')).uninstall(values.yes === true, say)
    default:
      console.log((await import('../completion/completion.ts')).printCompletion(values.shell ?? 'bash'))
      return 0
  }
}
