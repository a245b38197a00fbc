import { findListedQuant, STARTER_MODEL } from '@hearth/model-list'
import { FEATURES, type Download } from '@hearth/protocol'
import { actorOf, organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/models.ts'
import { notFound } from '../guard/guard.ts'
import { sumSlots, takeInventory, type DeviceEntry, type ModelEntry, type ServedEntry } from '../inventory/inventory.ts'
import { show } from '../routes/show.ts'

export function addModels(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listModels, async (context) => {
    const { models } = await takeInventory(parts, organizationOf(context))
    return context.json({ models: models.map(showModel) }, 200)
  })

  app.openapi(routes.putModel, async (context) => {
    const { name, state, ownedBy } = context.req.valid('json')
    const change = { organization: organizationOf(context), name, ...(ownedBy && { ownedBy }), by: actorOf(context) }
    if (state === 'enabled') await store.enableModel({ ...change, most: parts.organizationQuota.models })
    else if (!(await store.disableModel(change))) throw notFound('model')
    await takeEffect(parts)
    return context.body(null, 204)
  })

  app.openapi(routes.removeModel, async (context) => {
    const { name } = context.req.valid('query')
    const isDone = await store.removeModel({ organization: organizationOf(context), name, by: actorOf(context) })
    if (!isDone) throw notFound('model')
    await takeEffect(parts)
    return context.body(null, 204)
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
