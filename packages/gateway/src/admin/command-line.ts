// The command tree of `hearth admin`.

import { runProgram, type CommandWorld, type ProgramEntry } from '@hearth/command-line/program/commands'
import { ConfigError } from '../config.ts'
import { StoreError } from '../store/database/store-error.ts'
import { ACCOUNT } from './account-commands.ts'
import { AUDIT } from './audit-commands.ts'
import { BACKUP, RESTORE } from './backup-commands.ts'
import { DEVICE, ENROLMENT } from './device-commands.ts'
import { InputError } from './input-error.ts'
import { INVITATION, SET_UP } from './invitation-commands.ts'
import { KEY } from './key-commands.ts'
import { MEMBER } from './member-commands.ts'
import { MODEL } from './model-commands.ts'
import { ORGANIZATION } from './organization-commands.ts'
import { SECRET } from './secret-commands.ts'
import { withoutEscapeCodes } from './terminal.ts'

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

export const PROGRAM: ProgramEntry<CommandWorld> = {
  name: 'hearth admin',
  summary: 'Manage the organizations, members, keys, models and devices of this gateway.',
  after: EXAMPLES,
  afterError: '(add --help for options and examples)',
  commands: [
    SET_UP,
    ORGANIZATION,
    MEMBER,
    ACCOUNT,
    INVITATION,
    KEY,
    MODEL,
    ENROLMENT,
    DEVICE,
    AUDIT,
    SECRET,
    BACKUP,
    RESTORE,
  ],
}

/** Returns the exit code. */
export function runAdmin(words: readonly string[], world: CommandWorld): Promise<number> {
  const safe = withoutEscapeCodes(world)
  return runProgram(PROGRAM, words, safe, () => safe, explain)
}

function explain(error: unknown, { stderr }: CommandWorld): number {
  const isInput = error instanceof InputError || error instanceof ConfigError
  if (!isInput && !(error instanceof StoreError)) throw error
  stderr.write(`error: ${error.message}\n`)
  return isInput ? 2 : 1
}
