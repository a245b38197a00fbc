// Shared by every command: the common options, opening and closing the store, printing the result.

import type { CommandEntry, CommandWorld } from '@hearth/command-line/program/commands'
import type { Organization } from '../store/people/organization-rows.ts'
import type { Store } from '../store/store.ts'
import { findDatabase } from './find-database.ts'
import { findOrganization } from './find.ts'

export interface CommonOptions {
  data?: string
  json?: boolean
  organization?: string
}

/** The result of a command: text for people, a value for scripts. */
export interface CommandResult {
  text: string
  value: unknown
}

interface Given {
  store: Store
  world: CommandWorld
}

export interface GivenOrganization extends Given {
  organization: Organization
}

export type AdminCommand = CommandEntry<CommandWorld>

export interface Described extends Pick<AdminCommand, 'name' | 'summary' | 'arguments' | 'options'> {
  examples: readonly string[]
  /** Follow the examples in its help. */
  notes?: string
}

interface StoreCommand<From> extends Described {
  /** It begins with an empty database. */
  mayCreate?: boolean
  run(given: From, options: object, ...words: unknown[]): Promise<CommandResult>
}

/** `hearth admin account delete …` */
export function storeCommand({ mayCreate, ...command }: StoreCommand<Given>): AdminCommand {
  return {
    ...withCommonOptions(command),
    async run(world, given: CommonOptions, ...words) {
      const choice = { ...given, isChange: command.name !== 'list' }
      const { url, note } = findDatabase(world, choice, mayCreate)
      if (note !== undefined) world.stderr.write(`${note}\n`)
      // Loaded only here because it is most of the program: help and errors in the arguments do not need it.
      const { openStore } = await import('../store/open-store.ts')
      const store = await openStore(url)
      try {
        const { text, value } = await command.run({ store, world }, given, ...words)
        // Now it holds at every gateway.
        await store.changesAreKnown()
        printResult(world, given, { text, value })
      } finally {
        await store.close()
      }
    },
  }
}

/** What every command has, also one that opens no store. */
export function withCommonOptions({ name, summary, arguments: words, options = [], examples, notes }: Described) {
  return {
    name,
    summary,
    ...(words && { arguments: words }),
    options: [
      ['--data <folder>', 'data folder of Hearth (default: DATABASE_URL, or the Hearth on this machine)'],
      ['--json', 'print JSON, for scripts'],
      ...options,
    ],
    examples,
    ...(notes !== undefined && { after: notes }),
  } as const
}

export function printResult({ stdout }: CommandWorld, { json }: CommonOptions, { text, value }: CommandResult): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`)
}

export function organizationCommand(command: StoreCommand<GivenOrganization>): AdminCommand {
  return storeCommand({
    ...command,
    options: [
      ['--organization <name>', 'name or id of the organization; needed only if there are several'],
      ...(command.options ?? []),
    ],
    async run(given, options: CommonOptions, ...words) {
      const organization = await findOrganization(given.store, options.organization)
      return command.run({ ...given, organization }, options, ...words)
    },
  })
}
