import type { ModelDefaults } from '@hearth/protocol'
import { ApiError } from '@hearth/chat'
import { listedDefaults } from '../../access/book/effective-defaults.ts'
import { TemplateChecks } from '../../chat-template/template-checks.ts'
import { actorOf, organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/model-defaults.ts'
import { show } from '../routes/show.ts'

type Nullable<Values> = { [Name in keyof Values]-?: Exclude<Values[Name], undefined> | null }

export function addModelDefaults(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts
  const checks = new TemplateChecks()

  app.openapi(routes.getModelDefaults, async (context) => {
    const { name } = context.req.valid('query')
    const model = (await store.listModels(organizationOf(context))).find((one) => one.name === name)
    if (!model) throw notFound('model')
    return context.json(
      show(routes.bothDefaults, { own: model.defaults ?? {}, recommended: listedDefaults(name) }),
      200,
    )
  })

  app.openapi(routes.putModelDefaults, async (context) => {
    const { name, defaults } = context.req.valid('json')
    const organization = organizationOf(context)
    if (defaults.chatTemplate !== null) rejectBad(await checks.check(organization, defaults.chatTemplate))
    const change = { organization, name, defaults: read(defaults), by: actorOf(context) }
    if (!(await store.setModelDefaults(change))) throw notFound('model')
    await takeEffect(parts)
    return context.body(null, 204)
  })
}

function rejectBad(problem: string | undefined): void {
  if (problem !== undefined)
    throw new ApiError('invalid_value', `Invalid 'chatTemplate': ${problem}`, 'defaults.chatTemplate')
}

function read(defaults: Nullable<ModelDefaults>): ModelDefaults {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null))
}
