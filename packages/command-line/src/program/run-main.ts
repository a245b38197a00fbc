// What every program does first: checks the Node version, runs one command and exits with its code.

import type { CommandWorld } from './commands.ts'
import { openCompileCache } from './compile-cache.ts'
import { guardMemory } from './guard-memory.ts'

const NEEDED_NODE = 26

export interface Main {
  /** In messages. */
  title: string
  command: string
  /** Then the message of an unexpected error may contain part of one, so only its name and stack frames are printed. */
  seesPrompts: boolean
}

type Run = (words: readonly string[], world: CommandWorld) => Promise<number>

/** `load` is called only on a Node that can run it. */
export async function runMain({ title, command, seesPrompts }: Main, load: () => Promise<Run>): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NEEDED_NODE) {
    process.stderr.write(
      `✗ ${title} needs Node ${NEEDED_NODE} or newer, but this is Node ${process.versions.node} (${process.execPath})\n` +
        `· → run ${command.replace('-', ' ')} <command>, which uses the right version\n`,
    )
    process.exit(1)
  }
  openCompileCache()
  guardMemory()
  // A reader such as `head` may end first; nobody is left to read an error.
  process.stdout.on('error', () => process.exit())
  if (seesPrompts) process.on('uncaughtException', exitUnexpectedly)
  const run = await load()
  const { withCommandName } = await import('../terminal/command-name.ts')
  const { HEARTH_COMMAND: name } = process.env
  process.exitCode = await run(process.argv.slice(2), {
    environment: process.env,
    stdin: process.stdin,
    stdout: withCommandName(process.stdout, command, name),
    stderr: withCommandName(process.stderr, command, name),
  })
  // A finished command exits even if a socket or timer is still open.
  setTimeout(() => process.exit(), 2_000).unref()
}

function exitUnexpectedly(error: unknown): void {
  const { name, stack } = error instanceof Error ? error : new Error('unknown')
  const places = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  process.stderr.write(`✗ Unexpected error (${name})\n${places.join('\n')}\n`)
  process.exit(70)
}
