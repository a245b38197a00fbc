import { readOrganizationQuota } from '../config.ts'
import { InputError } from './input-error.ts'
import { listCommand } from './verbs/list-command.ts'
import { readName } from './read-arguments.ts'
import { organizationCommand, type AdminCommand } from './with-store.ts'

export const MODEL: AdminCommand = {
  name: 'model',
  summary: 'choose which models your API serves',
  commands: [
    organizationCommand({
      name: 'enable',
      summary: 'accept requests for a model, including one that was disabled or removed',
      examples: ['model enable qwen3-8b', 'model enable qwen3-8b --owned-by acme'],
      arguments: [['<name>', 'name of the model, as requests and devices use it', readName]],
      options: [['--owned-by <owner>', 'owner shown in the model list', readName]],
      async run({ store, organization, world }, { ownedBy }: { ownedBy?: string }, name: string) {
        const { models: most } = readOrganizationQuota(world.environment)
        const model = { organization: organization.id, name, most, ...(ownedBy && { ownedBy }) }
        const value = await store.enableModel(model)
        return { value, text: `Model ${name} is now enabled for ${organization.name}.` }
      },
    }),
    stopping('disable', 'reject requests for a model until it is enabled again', 'is now disabled'),
    stopping('remove', 'remove a model from the list', 'was removed'),
    listCommand(
      'model list',
      'list enabled and disabled models',
      ({ store, organization }) => store.listModels(organization.id),
      { NAME: 'name', STATE: 'state', 'OWNED BY': 'ownedBy', SINCE: 'createdAt' },
    ),
  ],
}

function stopping(verb: 'disable' | 'remove', summary: string, outcome: string): AdminCommand {
  return organizationCommand({
    name: verb,
    summary,
    examples: [`model ${verb} qwen3-8b`],
    arguments: [['<name>', 'name of the model']],
    async run({ store, organization }, _: object, name: string) {
      const value = { organization: organization.id, name }
      const done = verb === 'disable' ? await store.disableModel(value) : await store.removeModel(value)
      if (!done) throw new InputError(`${organization.name} has no model "${name}". See: model list`)
      return { value, text: `Model ${name} ${outcome} for ${organization.name}.` }
    },
  })
}
