import { findListedQuant, STARTER_MODEL } from '@hearth/model-list'
import { FEATURES, type Download } from '@hearth/protocol'
import { actorOf, organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/models.ts'
import { notFound } from '../guard/guard.ts'
import { takeInventory, type DeviceEntry, type ModelEntry } from '../inventory/inventory.ts'

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
  const has = new Set(devices.flatMap(({ served }) => served.features))
  return {
    name,
    state,
    ownedBy: model?.ownedBy ?? null,
    createdAt: model?.createdAt.toISOString() ?? null,
    contextLength: devices.length === 0 ? null : Math.max(...devices.map(({ served }) => served.contextLength)),
    features: FEATURES.filter((feature) => has.has(feature)),
    slots: devices.reduce((sum, { served }) => sum + served.slots, 0),
    running: devices.reduce((sum, { served }) => sum + served.running, 0),
    queued,
    known: showKnown(name),
    devices: devices.map(({ device, served }) => ({
      device: device.id,
      name: device.name,
      isPaused: device.isPaused,
      // Older apps don't say so, and use every template.
      takesTemplates: device.library?.takesTemplates ?? true,
      contextLength: served.contextLength,
      slots: served.slots,
      running: served.running,
      features: served.features,
      sizing: served.sizing ?? null,
      presence: served.state ?? 'loaded',
      tokensPerSecond: served.tokensPerSecond,
    })),
    downloads: downloads.map(({ device, download }) => ({ ...nameDevice(device), ...showDownload(download) })),
    copies: copies.map(({ device, kept: { bytes, isDeletable = false } }) => ({
      ...nameDevice(device),
      bytes,
      isDeletable,
      isChangeable: device.library?.isOpen ?? false,
    })),
  }
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

export function showDownload({ model, doneBytes, ...download }: Download) {
  return {
    model,
    doneBytes,
    totalBytes: download.totalBytes ?? null,
    state: download.state ?? 'downloading',
    bytesPerSecond: download.bytesPerSecond ?? null,
    source: download.source ?? null,
    askedBy: download.by ?? null,
    problem: download.problem ?? null,
  }
}
