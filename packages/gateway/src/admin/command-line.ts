// The commands and what their words mean. Built with commander rather than parseArgs: two levels of commands with help for each are what it
// is for, and the device app uses it already.

import { Command, CommanderError } from 'commander'
import { StoreError } from '../store/store-error.ts'
import { auditCommand } from './audit-commands.ts'
import { deviceCommand, enrolmentCommand } from './device-commands.ts'
import { InputError } from './input-error.ts'
import { invitationCommand, setUpCommand } from './invitation-commands.ts'
import { keyCommand } from './key-commands.ts'
import { memberCommand } from './member-commands.ts'
import { modelCommand } from './model-commands.ts'
import { organizationCommand } from './organization-commands.ts'
import type { Terminal } from './terminal.ts'

const DONE = 0
const FAILED = 1
const WRONG_INPUT = 2

const EXAMPLES = `
Every command takes:
  --organization <name>  the organization, by name or id; not needed while there is only one
  --data <folder>        the folder of the embedded database (default: what DATABASE_URL says, else ./data)
  --json                 print JSON for programs instead of text for people

From nothing to the first answer:
  npm run admin -- organization create "Acme" --owner ann@acme.test
  npm run admin -- model enable qwen3-8b
  npm run admin -- key create laptop
  npm run admin -- enrolment create

Exit codes: 0 done, 1 failed, 2 wrong input`

/** The exit code. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    await program.parseAsync(words, { from: 'user' })
    return DONE
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_INPUT
    if (!(error instanceof StoreError || error instanceof InputError)) throw error
    terminal.complain(`error: ${error.message}`)
    return error instanceof InputError ? WRONG_INPUT : FAILED
  }
}

const COMMANDS = [
  setUpCommand,
  organizationCommand,
  memberCommand,
  invitationCommand,
  keyCommand,
  modelCommand,
  enrolmentCommand,
  deviceCommand,
  auditCommand,
]

function createProgram(terminal: Terminal): Command {
  const program = new Command('admin')
    .usage('<command>')
    .description('Organizations, members, keys, models and devices of this gateway')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  for (const create of COMMANDS) program.addCommand(create(terminal))
  everyCommand(program, (command) => {
    command.exitOverride()
    command.showHelpAfterError('(add --help for what is possible, with examples)')
    command.configureOutput({ writeOut: trimmed(terminal.print), writeErr: trimmed(terminal.complain) })
  })
  return program
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) everyCommand(child, visit)
}

function trimmed(write: (text: string) => void): (text: string) => void {
  return (text) => write(text.trimEnd())
}
