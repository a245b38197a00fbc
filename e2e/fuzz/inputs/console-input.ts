// Requests to the console API: every route of its description, with bodies made from the schemas.

import type { Random } from '@hearth/gateway/testing'
import type { HttpInput } from '../input.ts'
import { formatRequest } from './http-request.ts'
import { mutateJson } from './mutate-json.ts'
import { oddText } from './odd-values.ts'
import { sampleSchema, type Schema } from './sample-schema.ts'

export interface ConsoleRoute {
  method: string
  path: string
  query: readonly { name: string; schema: Schema }[]
  body?: Schema
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

const UNKNOWN_ID = '0c2f4b86-9d3e-4c55-8f60-6a1f2f1f7e10'
/** Ends its session, which the other requests need. */
const SIGN_OUT = '/api/v1/sign-out'

export function listRoutes(description: { paths: Record<string, Record<string, Operation>> }): ConsoleRoute[] {
  return Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content?.['application/json']?.schema
      const query = parameters.filter((each) => each.in === 'query').map(({ name, schema = {} }) => ({ name, schema }))
      return { method: method.toUpperCase(), path: `/api/v1${path}`, query, ...(body && { body }) }
    }),
  )
}

export function createConsoleInput(random: Random, routes: readonly ConsoleRoute[]): HttpInput {
  const { method, path, query, body } = random.pick(routes)
  const headers: [string, string][] = [['origin', random.chance(0.95) ? '{{ORIGIN}}' : 'https://evil.test']]
  if (random.chance(0.8)) headers.push(['cookie', path === SIGN_OUT ? '{{SPARE_COOKIE}}' : '{{COOKIE}}'])
  const plan = { method, path: fillPath(path, random) + createQuery(query, random), headers }
  if (!body) return formatRequest(plan, random)
  headers.push(['content-type', 'application/json'])
  const value = sampleSchema(body, random)
  const text = JSON.stringify(random.chance(0.5) ? mutateJson(value, random, 1) : value)
  return formatRequest({ ...plan, body: text }, random)
}

function fillPath(path: string, random: Random): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'organization' && random.chance(0.9)) return '{{ORGANIZATION}}'
    if (name === 'device' && random.chance(0.5)) return '{{DEVICE}}'
    return encodeURIComponent(random.chance(0.5) ? UNKNOWN_ID : oddText(random).toWellFormed())
  })
}

function createQuery(query: ConsoleRoute['query'], random: Random): string {
  const chosen = random.some(query, 0.7)
  if (chosen.length === 0) return ''
  const pairs = chosen.map(({ name, schema }) => {
    const value = sampleSchema(schema, random)
    return `${name}=${encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()).slice(0, 500)}`
  })
  return `?${pairs.join('&')}`
}
