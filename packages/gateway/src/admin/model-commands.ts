import type { Command } from 'commander'
import { readOrganizationQuota } from '../config.ts'
import { InputError } from './input-error.ts'
import { readName } from './read-arguments.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface EnableOptions extends CommonOptions {
  ownedBy?: string
}

export function modelCommand(terminal: Terminal): Command {
  return group('model', 'choose which models your API serves', [
    enable(terminal),
    stop(terminal, 'disable', 'reject requests for a model until it is enabled again', 'is now disabled'),
    stop(terminal, 'remove', 'remove a model from the list', 'was removed'),
    list(terminal),
  ])
}

function enable(terminal: Terminal): Command {
  const command = leaf('enable', 'accept requests for a model, including one that was disabled or removed', [
    'model enable qwen3-8b',
    'model enable qwen3-8b --owned-by acme',
  ])
  return ofOrganization(command)
    .argument('<name>', 'name of the model, as requests and devices use it', readName)
    .option('--owned-by <owner>', 'owner shown in the model list', readName)
    .action((name: string, { ownedBy, ...options }: EnableOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const { models: most } = readOrganizationQuota(terminal.environment)
        const model = { organization: organization.id, name, most, ...(ownedBy && { ownedBy }) }
        const value = await store.enableModel(model)
        return { value, text: `Model ${name} is now enabled for ${organization.name}.` }
      }),
    )
}

function stop(terminal: Terminal, verb: 'disable' | 'remove', description: string, outcome: string): Command {
  return ofOrganization(leaf(verb, description, [`model ${verb} qwen3-8b`]))
    .argument('<name>', 'name of the model')
    .action((name: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const input = { organization: organization.id, name }
        const done = verb === 'disable' ? await store.disableModel(input) : await store.removeModel(input)
        if (!done) throw new InputError(`${organization.name} has no model "${name}". See: model list`)
        return { value: input, text: `Model ${name} ${outcome} for ${organization.name}.` }
      }),
    )
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'list enabled and disabled models', ['model list'])).action(
    (options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id }) => {
        const value = await store.listModels(id)
        const text = table(value, {
          NAME: (model) => model.name,
          STATE: (model) => model.state,
          'OWNED BY': (model) => model.ownedBy,
          SINCE: (model) => model.createdAt,
        })
        return { value, text }
      }),
  )
}
