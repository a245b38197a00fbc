import type { Organization } from '../../store/people/organization-rows.ts'
import type { Store } from '../../store/store.ts'
import {
  organizationCommand,
  type AdminCommand,
  type CommandResult,
  type Described,
  type GivenOrganization,
} from '../with-store.ts'

interface CommandAbout<Thing> extends Described {
  run(given: GivenOrganization, found: Thing, options: object, ...words: unknown[]): Promise<CommandResult>
}

/** Commands about one thing of an organization, which people name first: `device rename studio-mac …`. */
export function commandsAbout<Thing>(
  which: readonly [word: string, meaning: string],
  find: (store: Store, organization: Organization, text: string) => Promise<Thing>,
): (command: CommandAbout<Thing>) => AdminCommand {
  return (command) =>
    organizationCommand({
      ...command,
      arguments: [which, ...(command.arguments ?? [])],
      async run(given, options, text: string, ...others: unknown[]) {
        return command.run(given, await find(given.store, given.organization, text), options, ...others)
      },
    })
}
