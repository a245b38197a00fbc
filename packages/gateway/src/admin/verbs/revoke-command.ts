import { InputError } from '../input-error.ts'
import { organizationCommand, type AdminCommand, type GivenOrganization } from '../with-store.ts'

interface Unused {
  /** The command that has `list`, and now `revoke`. */
  command: string
  thing: string
  example: string
  /** False if there is none, or it was used. */
  revoke: (given: GivenOrganization, id: string) => Promise<boolean>
}

export function revokeCommand({ command, thing, example, revoke }: Unused): AdminCommand {
  return organizationCommand({
    name: 'revoke',
    summary: `revoke an unused ${thing}`,
    examples: [`${command} revoke ${example}`],
    arguments: [['<id>', `id of the ${thing}, from "${command} list"`]],
    async run(given, _: object, id: string) {
      if (!(await revoke(given, id)))
        throw new InputError(`${given.organization.name} has no unused ${thing} "${id}". See: ${command} list`)
      return { value: { id }, text: `The ${thing} was revoked.` }
    },
  })
}
