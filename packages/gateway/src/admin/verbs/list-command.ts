import { listing, type Column } from '../terminal.ts'
import { organizationCommand, type AdminCommand, type GivenOrganization } from '../with-store.ts'

/** `example` is the command as people type it, such as `key list`. */
export function listCommand<Row>(
  example: string,
  summary: string,
  read: (given: GivenOrganization) => Promise<readonly Row[]>,
  columns: Record<string, Column<Row>>,
): AdminCommand {
  return organizationCommand({
    name: 'list',
    summary,
    examples: [example],
    run: async (given) => listing(await read(given), columns),
  })
}
