import { InputError } from '../input-error.ts'
import { organizationCommand, type AdminCommand, type GivenOrganization } from '../with-store.ts'

interface Unused {
  /** Such as `invitation revoke 0197…`. There is a `list` beside it. */
  example: string
  thing: string
  /** False if there is none, or it was used. */
  revoke: (given: GivenOrganization, id: string) => Promise<boolean>
}

export function revokeCommand({ example, thing, revoke }: Unused): AdminCommand {
  const [command] = example.split(' ', 1)
  return organizationCommand({
    name: 'revoke',
    summary: `revoke an unused ${thing}`,
    examples: [example],
    arguments: [['<id>', `id of the ${thing}, from "${command} list"`]],
    async run(given, _: object, id: string) {
      if (!(await revoke(given, id)))
        throw new InputError(`${given.organization.name} has no unused ${thing} "${id}". See: ${command} list`)
      return { value: { id }, text: `The ${thing} was revoked.` }
    },
  })
}
