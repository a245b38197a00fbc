// Shared by every command: the common options, opening and closing the store, printing the result.

import { Command } from 'commander'
import type { Organization } from '../store/people/organization-rows.ts'
import type { Store } from '../store/store.ts'
import { findDatabase } from './find-database.ts'
import { findOrganization } from './find.ts'
import type { Answer, Terminal } from './terminal.ts'

export interface CommonOptions {
  data?: string
  json?: boolean
  organization?: string
  /** Of the command, not of the person: it changes something. */
  isChange?: boolean
}

/** `hearth admin model …` */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const command = new Command(name).description(description).helpCommand(false)
  for (const child of commands) command.addCommand(child)
  return command
}

/** `hearth admin model enable …`, with examples in its help. */
export function leaf(name: string, description: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  hearth admin ${example}`)
  return new Command(name)
    .description(description)
    .setOptionValue('isChange', name !== 'list')
    .option('--data <folder>', 'data folder of Hearth (default: DATABASE_URL, or the Hearth on this machine)')
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

export function ofOrganization(command: Command): Command {
  return command.option('--organization <name>', 'name or id of the organization; needed only if there are several')
}

/** Opens the store, does the work and prints its result. `mayCreate` is for commands that begin with an empty database. */
export async function withStore(
  terminal: Terminal,
  options: CommonOptions,
  work: (store: Store) => Promise<Answer>,
  mayCreate = false,
): Promise<void> {
  const { url, note } = findDatabase(terminal, options, mayCreate)
  if (note !== undefined) terminal.printError(note)
  // Loaded only here because it is most of the program: help and errors in the arguments do not need it.
  const { openStore } = await import('../store/open-store.ts')
  const store = await openStore(url)
  try {
    const { text, value } = await work(store)
    // Now it holds at every gateway.
    await store.changesAreKnown()
    terminal.print(options.json ? JSON.stringify(value, null, 2) : text)
  } finally {
    await store.close()
  }
}

export function withOrganization(
  terminal: Terminal,
  options: CommonOptions,
  work: (store: Store, organization: Organization) => Promise<Answer>,
): Promise<void> {
  return withStore(terminal, options, async (store) => work(store, await findOrganization(store, options.organization)))
}
