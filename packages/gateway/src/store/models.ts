import type { ModelDefaults } from '@hearth/protocol'
import { and, asc, desc, eq, inArray, ne } from 'drizzle-orm'
import { recordChange, type By } from './audit.ts'
import { inTransaction } from './database/bind-queries.ts'
import type { Database, Handle } from './database/database.ts'
import { omitNulls, type RowOf } from './database/omit-nulls.ts'
import { onlyRow } from './database/only-row.ts'
import { lockOrganization } from './people/organization-rows.ts'
import { requireRoom } from './quota.ts'
import type { Fields } from './tables/audit.ts'
import { model, type ModelState } from './tables/models.ts'

export const modelQueries = {
  listModels,
  ...inTransaction({
    enableModel,
    disableModel,
    removeModel,
    addModel,
    modelArrived,
    forgetAddedModel,
    recordModelRequest,
    setModelDefaults,
  }),
}

interface ModelChoice {
  organization: string
  name: string
}

interface ModelChange extends ModelChoice {
  /** If undefined, it stays the same. */
  ownedBy?: string
}

/** An addition to the organization's models. */
interface Addition {
  /** How many the organization may have. */
  most?: number
}

interface ModelDownload extends ModelChoice {
  /** The name of the device. */
  device: string
}

type AddedModel = ModelDownload & { source: string } & Addition & By

/** Removed models that stay known, per organization. Requests for older ones get the error of an unknown model. */
const KEPT = 100
/** The owner shown for a model by default. */
const OWNER = 'organization'

const { organizationId: organization, name, state, ownedBy, createdAt, defaults } = model
export const modelColumns = { organization, name, state, ownedBy, createdAt, defaults }

/** Without defaults if the organization set none of its own. */
export type Model = RowOf<typeof modelColumns>

/** Also enables a disabled or removed model again. */
async function enableModel(transaction: Handle, { most, ...input }: ModelChange & Addition & By): Promise<Model> {
  const before = await lockModelWithRoom(transaction, input, most)
  return await putModel(transaction, before, { ...input, state: 'enabled' })
}

/** False for a model that was never enabled or was removed. */
function disableModel(transaction: Handle, input: ModelChange & By): Promise<boolean> {
  return changeModel(transaction, { ...input, state: 'disabled' })
}

function removeModel(transaction: Handle, input: ModelChoice & By): Promise<boolean> {
  return changeModel(transaction, { ...input, state: 'removed' })
}

/** Someone asked a device to download the model. A new one is `adding` until a device has it, a removed one is enabled at once, and a disabled one stays disabled. */
async function addModel(transaction: Handle, { most, ...input }: AddedModel): Promise<Model> {
  const before = await lockModelWithRoom(transaction, input, most)
  const state = stateOfAdded(before)
  const after = await writeModel(transaction, before, { ...input, state })
  await recordModelRequest(transaction, { ...input, action: 'download', after: { source: input.source, state } })
  return after
}

/** Enables a model that is being added. False for any other. */
async function modelArrived(transaction: Handle, input: ModelChoice & By): Promise<boolean> {
  const before = await lockModel(transaction, input)
  if (before?.state !== 'adding') return false
  await putModel(transaction, before, { ...input, state: 'enabled' })
  return true
}

/** Forgets a model that was never enabled, because nobody downloads it any more. False for any other. */
async function forgetAddedModel(transaction: Handle, { organization, name, by }: ModelChoice & By): Promise<boolean> {
  const isMeant = and(isModel(organization, name), eq(model.state, 'adding'))
  const gone = await transaction.delete(model).where(isMeant).returning(modelColumns)
  if (gone.length === 0) return false
  await recordChange(transaction, { organization, by, action: 'model.forget', id: name, name })
  return true
}

/** Without removed models. */
async function listModels({ query }: Database, organization: string): Promise<Model[]> {
  const rows = await query
    .select(modelColumns)
    .from(model)
    .where(and(eq(model.organizationId, organization), ne(model.state, 'removed')))
    .orderBy(asc(model.name))
  return rows.map(omitNulls)
}

function stateOfAdded(before: Model | undefined): ModelState {
  if (before === undefined) return 'adding'
  return before.state === 'removed' ? 'enabled' : before.state
}

interface ModelRequest extends ModelDownload, By {
  action: 'download' | 'pause' | 'cancel' | 'delete' | 'unblock' | 'serve'
  after?: Fields
}

/** Records what someone asked a device to do with a model or its download, such as to accept its blocked requests again, or to serve a local server. */
async function recordModelRequest(
  transaction: Handle,
  { organization, name, device, action, by, after }: ModelRequest,
): Promise<void> {
  await recordChange(transaction, {
    organization,
    by,
    action: `model.${action}`,
    id: name,
    name,
    after: { device, ...after },
    also: ['devices'],
  })
}

type Change = ModelChange & By & { state: ModelState }

/** A removed model comes back only when it is enabled again. */
async function changeModel(transaction: Handle, change: Change): Promise<boolean> {
  const before = await lockModel(transaction, change)
  if (!before || before.state === 'removed') return false
  await putModel(transaction, before, change)
  return true
}

/** A model that is not in the list yet takes a place there. */
async function lockModelWithRoom(transaction: Handle, choice: ModelChoice, most?: number): Promise<Model | undefined> {
  const known = await lockModel(transaction, choice)
  if (known && known.state !== 'removed') return known
  await makeRoomForModel(transaction, choice.organization, most)
  return await lockModel(transaction, choice)
}

async function lockModel(transaction: Handle, { organization, name }: ModelChoice): Promise<Model | undefined> {
  const [found] = await transaction
    .select(modelColumns)
    .from(model)
    .where(isModel(organization, name))
    .for('no key update')
  return found && omitNulls(found)
}

function isModel(organization: string, name: string) {
  return and(eq(model.organizationId, organization), eq(model.name, name))
}

type NewDefaults = ModelChoice & { defaults: ModelDefaults } & By

/** Replaces all of them; an empty object removes them. False for a model that was never enabled or was removed. */
async function setModelDefaults(
  transaction: Handle,
  { organization, name, defaults, by }: NewDefaults,
): Promise<boolean> {
  const before = await lockModel(transaction, { organization, name })
  if (!before || before.state === 'removed') return false
  const isEmpty = Object.keys(defaults).length === 0
  await transaction
    .update(model)
    .set({ defaults: isEmpty ? null : defaults })
    .where(isModel(organization, name))
  await recordChange(transaction, {
    organization,
    by,
    action: 'model.defaults',
    id: name,
    name,
    before: describeDefaults(before.defaults ?? {}),
    after: describeDefaults(defaults),
  })
  return true
}

/** Long texts by their length: the audit log says that they changed, not what they are. */
function describeDefaults({ systemMessage, chatTemplate, ...numbers }: ModelDefaults): Fields {
  return {
    ...numbers,
    ...(systemMessage !== undefined && { systemMessage: `${systemMessage.length} characters` }),
    ...(chatTemplate !== undefined && { chatTemplate: `${chatTemplate.length} characters` }),
  }
}

async function putModel(transaction: Handle, before: Model | undefined, change: Change): Promise<Model> {
  const { organization, name, state, by } = change
  const after = await writeModel(transaction, before, change)
  await recordChange(transaction, {
    organization,
    by,
    action: actionOf(state, before),
    id: name,
    name,
    ...(before && { before: { state: before.state, ownedBy: before.ownedBy } }),
    after: { state, ownedBy: after.ownedBy },
  })
  return after
}

async function writeModel(transaction: Handle, before: Model | undefined, change: Change): Promise<Model> {
  const { organization, name, state } = change
  const ownedBy = change.ownedBy ?? before?.ownedBy ?? OWNER
  const rows = await transaction
    .insert(model)
    .values({ organizationId: organization, name, state, ownedBy })
    .onConflictDoUpdate({ target: [model.organizationId, model.name], set: { state, ownedBy } })
    .returning(modelColumns)
  return omitNulls(onlyRow(rows))
}

function actionOf(state: ModelState, before: Model | undefined) {
  if (before?.state === state) return 'model.change'
  return state === 'removed' ? 'model.remove' : state === 'disabled' ? 'model.disable' : 'model.enable'
}

/**
 * Call it before a model is added. Every gateway keeps all of them in memory, so there is a limit. It locks the organization: two must not
 * take the last place.
 */
async function makeRoomForModel(transaction: Handle, organization: string, most = Infinity): Promise<void> {
  await lockOrganization(transaction, organization)
  await forgetRemoved(transaction, organization)
  const isListed = and(eq(model.organizationId, organization), ne(model.state, 'removed'))
  const taken = await transaction.$count(model, isListed)
  requireRoom(taken, most, {
    change: 'add the model',
    things: 'models',
    remedy: 'Remove models that are no longer used',
    setting: 'MODELS_PER_ORGANIZATION',
  })
}

async function forgetRemoved(transaction: Handle, organization: string): Promise<void> {
  const isRemoved = and(eq(model.organizationId, organization), eq(model.state, 'removed'))
  const old = transaction
    .select({ name: model.name })
    .from(model)
    .where(isRemoved)
    .orderBy(desc(model.createdAt), desc(model.name))
    .offset(KEPT)
  await transaction.delete(model).where(and(isRemoved, inArray(model.name, old)))
}
