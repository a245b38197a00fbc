import { gt, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Model } from '../models.ts'
import { device } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { model } from '../tables/models.ts'
import {
  selectDevices,
  selectKeys,
  selectModels,
  usableKeys,
  type AccessDevice,
  type AccessKey,
  type Place,
} from './access-rows.ts'

export const accessPageQueries = { accessKeys, accessModels, accessDevices, keyPage, modelPage, devicePage }

export interface PageRequest {
  /** The end of the page before. */
  after?: Place
  limit: number
}

export interface Page<Row> {
  rows: Row[]
  /** Where the next page starts; undefined if there is none. */
  end?: Place
}

async function accessKeys({ access }: Database): Promise<AccessKey[]> {
  return usableKeys(await selectKeys(access))
}

function accessModels({ access }: Database): Promise<Model[]> {
  return selectModels(access)
}

function accessDevices({ access }: Database): Promise<AccessDevice[]> {
  return selectDevices(access)
}

async function keyPage({ access }: Database, { after, limit }: PageRequest): Promise<Page<AccessKey>> {
  const rows = await selectKeys(access, after && gt(apiKey.id, after.id), limit)
  return { rows: usableKeys(rows), ...endOf(rows, limit, ({ id }) => id) }
}

async function modelPage({ access }: Database, { after, limit }: PageRequest): Promise<Page<Model>> {
  const isNext = after && sql`(${model.organizationId}, ${model.name}) > (${after.organization}, ${after.id})`
  const rows = await selectModels(access, isNext, limit)
  return { rows, ...endOf(rows, limit, ({ name }) => name) }
}

async function devicePage({ access }: Database, { after, limit }: PageRequest): Promise<Page<AccessDevice>> {
  const rows = await selectDevices(access, after && gt(device.id, after.id), limit)
  return { rows, ...endOf(rows, limit, ({ id }) => id) }
}

function endOf<Row extends { organization: string }>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
): { end?: Place } {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return last ? { end: { organization: last.organization, id: idOf(last) } } : {}
}
