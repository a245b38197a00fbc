// The command tree. Built with commander rather than parseArgs because it has two levels of commands with help for each, and the device app
// already uses it.

import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { StoreError } from '../store/database/store-error.ts'
import { accountCommand } from './account-commands.ts'
import { auditCommand } from './audit-commands.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'
import { deviceCommand, enrolmentCommand } from './device-commands.ts'
import { InputError } from './input-error.ts'
import { invitationCommand, setUpCommand } from './invitation-commands.ts'
import { keyCommand } from './key-commands.ts'
import { memberCommand } from './member-commands.ts'
import { modelCommand } from './model-commands.ts'
import { organizationCommand } from './organization-commands.ts'
import { secretCommand } from './secret-commands.ts'
import { withoutEscapeCodes, type Terminal } from './terminal.ts'

const SUCCESS = 0
const FAILURE = 1
const WRONG_INPUT = 2

const EXAMPLES = `
Every command takes:
  --organization <name>  the organization, by name or id; needed only if there are several
  --data <folder>        the data folder of Hearth (default: DATABASE_URL, or the Hearth on this machine)
  --json                 print JSON, for scripts

From scratch to the first answer:
  hearth admin organization create "Acme" --owner ann@acme.test
  hearth admin enrolment create            prints the command that installs a device
  hearth admin model enable qwen3-8b       a model that the device serves
  hearth admin key create laptop           prints the API key

Changes take effect within a second, even while the gateway is running.\n\nExit codes: 0 success, 1 failure, 2 wrong input`

/** Returns the exit code. */
export async function runCommandLine(words: readonly string[], rawTerminal: Terminal): Promise<number> {
  const terminal = withoutEscapeCodes(rawTerminal)
  const program = createProgram(terminal)
  try {
    await program.parseAsync(words, { from: 'user' })
    return SUCCESS
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : WRONG_INPUT
    if (!(error instanceof StoreError || error instanceof InputError || error instanceof ConfigError)) throw error
    terminal.printError(`error: ${error.message}`)
    return error instanceof StoreError ? FAILURE : WRONG_INPUT
  }
}

const COMMANDS = [
  setUpCommand,
  organizationCommand,
  memberCommand,
  accountCommand,
  invitationCommand,
  keyCommand,
  modelCommand,
  enrolmentCommand,
  deviceCommand,
  auditCommand,
  secretCommand,
  backupCommand,
  restoreCommand,
]

/** All commands, without running one. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('hearth admin')
    .usage('<command>')
    .description('Manage the organizations, members, keys, models and devices of this gateway.')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  for (const create of COMMANDS) program.addCommand(create(terminal))
  everyCommand(program, (command) => {
    command.exitOverride()
    command.showHelpAfterError('(add --help for options and examples)')
    command.configureOutput({ writeOut: trimmed(terminal.print), writeErr: trimmed(terminal.printError) })
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
