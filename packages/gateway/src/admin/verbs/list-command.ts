import { listing, type Column } from '../terminal.ts'
import { organizationCommand, type AdminCommand, type GivenOrganization } from '../with-store.ts'

/** `words` are the command itself, such as `key list`. */
export function listCommand<Row>(
  words: string,
  summary: string,
  read: (given: GivenOrganization) => Promise<readonly Row[]>,
  columns: Record<string, Column<Row>>,
): AdminCommand {
  return organizationCommand({
    name: 'list',
    summary,
    examples: [words],
    run: async (given) => listing(await read(given), columns),
  })
}
