// The commands of a program as a table: one entry each, with its flags, its help and what it does.

import { Argument, Command, CommanderError, Option } from 'commander'
import { CommandError } from '../errors.ts'
import type { Input } from '../terminal/confirm.ts'
import { createScreen, type Output } from '../terminal/screen.ts'

export interface CommandWorld {
  environment: Readonly<Record<string, string | undefined>>
  /** Absent where nobody can answer a question. */
  stdin?: Input
  stdout: Output
  stderr: Output
}

/** An argument or an option in commander's words, and what it means. */
export type Given = readonly [words: string, help: string, read?: (text: string) => unknown, fallback?: unknown]

/** Returns the exit code, if it isn't 0. */
export type Exit = Promise<number | void> | number | void

export interface CommandEntry<Context> {
  /** With its arguments, unless they are explained below: `pull <source>`. */
  name: string
  /** In the list of commands, and in its own help if it has no description. */
  summary: string
  description?: string
  arguments?: readonly (Given | Argument)[]
  options?: readonly (Given | Option)[]
  /** Lines to paste, with or without the name of the program, and what each does. */
  examples?: readonly (string | readonly [line: string, what: string])[]
  /** Notes at the end of its help. */
  after?: string
  commands?: readonly CommandEntry<Context>[]
  run?(context: Context, options: object, ...words: unknown[]): Exit
}

export interface ProgramEntry<Context> extends CommandEntry<Context> {
  version?: string
  commands: readonly CommandEntry<Context>[]
  /** Follows an error in the words of a command. */
  afterError?: string
}

type Act<Context> = (command: Command, run: (context: Context) => Exit) => Promise<void>

/** Returns the exit code. */
export async function runProgram<Context>(
  entry: ProgramEntry<Context>,
  words: readonly string[],
  world: CommandWorld,
  open: (command: Command) => Context,
  explain = explainError,
): Promise<number> {
  let code = 0
  const program = createProgram(entry, world, async (command, run) => {
    code = (await run(open(command))) ?? 0
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    // Commander has already printed the message. Help and version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return explain(error, world)
  }
}

function explainError(error: unknown, { stderr }: CommandWorld): number {
  if (!(error instanceof CommandError)) throw error
  const screen = createScreen(stderr)
  screen.line('bad', error.message)
  if (error.advice !== undefined) screen.line('info', `→ ${error.advice}`)
  return 1
}

const SILENT = { write: () => true }

/** All commands. Without a world, to look at. */
export function createProgram<Context>(
  entry: ProgramEntry<Context>,
  { stdout, stderr }: Pick<CommandWorld, 'stdout' | 'stderr'> = { stdout: SILENT, stderr: SILENT },
  act: Act<Context> = async () => undefined,
): Command {
  const program = new Command(entry.name)
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError(entry.afterError ?? 'Run the command with --help for usage.')
    .configureHelp({ commandDescription: (command) => asSentence(command.description()) })
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
  if (entry.version !== undefined) program.version(entry.version, '--version', 'print the version')
  addTo(program, entry, entry.name, act)
  return program
}

function addTo<Context>(command: Command, entry: CommandEntry<Context>, program: string, act: Act<Context>): void {
  const { summary, description = summary, examples, after } = entry
  command.summary(summary).description(description)
  for (const given of entry.arguments ?? []) command.addArgument(make(Argument, given))
  for (const given of entry.options ?? []) command.addOption(make(Option, given))
  if (examples !== undefined) command.addHelpText('after', formatExamples(examples, program))
  if (after !== undefined) command.addHelpText('after', `\n${after.trim()}`)
  for (const child of entry.commands ?? []) addTo(command.command(child.name), child, program, act)
  if (entry.run)
    command.action(() => act(command, (context) => entry.run?.(context, command.opts(), ...command.processedArgs)))
}

function formatExamples(examples: NonNullable<CommandEntry<never>['examples']>, program: string): string {
  const named = new RegExp(`(^| )${program} `)
  const lines = examples.map((example) => {
    const [line, what = ''] = typeof example === 'string' ? [example] : example
    return [named.test(line) ? line : `${program} ${line}`, what] as const
  })
  const width = Math.max(...lines.map(([line]) => line.length))
  return ['\nExamples:', ...lines.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`.trimEnd())].join('\n')
}

function make<Made extends Argument | Option>(
  Kind: new (words: string, help: string) => Made,
  given: Given | Made,
): Made {
  if (given instanceof Kind) return given
  const [words, help, read, fallback] = given as Given
  const made = new Kind(words, help)
  if (read) made.argParser(read)
  if (fallback !== undefined) made.default(fallback)
  return made
}

/** Summaries are fragments in lists of commands, and a sentence in a command's own help. */
export function asSentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
