import { findListedQuant, STARTER_MODEL } from '@hearth/model-list'
import { FEATURES, type Download, type ModelDefaults } from '@hearth/protocol'
import { ApiError } from '@hearth/chat'
import { listedDefaults } from '../../access/book/effective-defaults.ts'
import { TemplateChecks } from '../../chat-template/template-checks.ts'
import { changeIn, organizationOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/models.ts'
import { notFound, settleChange } from '../guard/guard.ts'
import { sumSlots, takeInventory, type DeviceEntry, type ModelEntry, type ServedEntry } from '../inventory/inventory.ts'
import { show } from '../routes/show.ts'

type Nullable<Values> = { [Name in keyof Values]-?: Exclude<Values[Name], undefined> | null }

export function addModels(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts
  const checks = new TemplateChecks()

  app.openapi(routes.listModels, async (context) => {
    const { models } = await takeInventory(parts, organizationOf(context))
    return context.json({ models: models.map(showModel) }, 200)
  })

  app.openapi(routes.putModel, async (context) => {
    const { name, state, ownedBy } = context.req.valid('json')
    const change = { ...changeIn(context), name, ...(ownedBy && { ownedBy }) }
    if (state === 'disabled') return settleChange(parts, context, 'model', await store.disableModel(change))
    await store.enableModel({ ...change, most: parts.organizationQuota.models })
    return settleChange(parts, context, 'model', true)
  })

  app.openapi(routes.removeModel, async (context) => {
    const { name } = context.req.valid('query')
    return settleChange(parts, context, 'model', await store.removeModel({ ...changeIn(context), name }))
  })

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
    const change = { ...changeIn(context), name, defaults: readDefaults(defaults) }
    if (defaults.chatTemplate !== null) rejectBad(await checks.check(change.organization, defaults.chatTemplate))
    return settleChange(parts, context, 'model', await store.setModelDefaults(change))
  })
}

function showModel({ name, state, model, queued, devices, downloads, copies }: ModelEntry) {
  const served = devices.map((one) => one.served)
  const has = new Set(served.flatMap(({ features }) => features))
  return show(routes.model, {
    name,
    state,
    ownedBy: model?.ownedBy,
    createdAt: model?.createdAt,
    contextLength: served.length === 0 ? null : Math.max(...served.map(({ contextLength }) => contextLength)),
    features: FEATURES.filter((feature) => has.has(feature)),
    ...sumSlots(served),
    queued,
    known: showKnown(name),
    devices: devices.map(({ device, served: one }) => ({
      ...describeServed(one),
      ...nameDevice(device),
      isPaused: device.isPaused,
      // Older apps don't say so, and use every template.
      takesTemplates: device.library?.takesTemplates ?? true,
    })),
    downloads: downloads.map(({ device, download }) => ({ ...describeDownload(download), ...nameDevice(device) })),
    copies: copies.map(({ device, kept: { bytes, isDeletable = false } }) => ({
      ...nameDevice(device),
      bytes,
      isDeletable,
      isChangeable: device.library?.isOpen ?? false,
    })),
  })
}

function showKnown(name: string) {
  const listed = findListedQuant(name)?.model
  if (listed === undefined) return null
  const { title, parameters, goodAt } = listed
  return { title, parameters, goodAt, isStarter: listed === STARTER_MODEL }
}

function nameDevice({ id, name }: DeviceEntry) {
  return { device: id, name }
}

export function describeDownload(download: Download) {
  return { ...download, state: download.state ?? 'downloading', askedBy: download.by }
}

export function describeServed(served: ServedEntry) {
  return { ...served, presence: served.state ?? 'loaded' }
}

function rejectBad(problem: string | undefined): void {
  if (problem !== undefined)
    throw new ApiError('invalid_value', `Invalid 'chatTemplate': ${problem}`, 'defaults.chatTemplate')
}

function readDefaults(defaults: Nullable<ModelDefaults>): ModelDefaults {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null))
}
