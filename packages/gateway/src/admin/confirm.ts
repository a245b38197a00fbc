// Asks the operator to type the name of what a command deletes.

import type { Command } from 'commander'
import { InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'

export interface Confirmed {
  yes?: boolean
}

interface Confirmation {
  yes: boolean | undefined
  what: string
  typed: string
}

export function withConfirmation(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation, for scripts')
}

export async function confirmed({ ask }: Terminal, { yes, what, typed }: Confirmation): Promise<void> {
  if (yes === true) return
  if (!ask) throw new InputError(`This deletes ${what}. To confirm, add --yes`)
  const answer = await ask(`This deletes ${what}. To confirm, type ${typed}: `)
  if (answer.trim() !== typed) throw new InputError(`Nothing was deleted: you did not type ${typed}`)
}
