// Compares the OpenAPI description of the public API with the gateway.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { API_ERRORS, ApiError, readChatRequest, KNOWN_FIELDS } from '@hearth/chat'
import { findOperation } from './operations.ts'

interface Field {
  type?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  maxItems?: number
  examples?: unknown[]
  'x-class': 'supported' | 'device' | 'ignored' | 'rejected'
  'x-feature'?: string
  'x-only-with'?: Record<string, unknown>
}

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  components: {
    schemas: { ChatRequest: { required: string[]; properties: Record<string, Field> } }
    responses: Record<string, { 'x-codes': Record<string, string> }>
  }
}

const file = new URL('../../../../console/public/openapi.json', import.meta.url)
const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Description
const { required, properties } = components.schemas.ChatRequest
const fields = Object.entries(properties)

const LEAST = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const LIMITS = { maxMessages: 4096, maxTools: 128 }

function read(body: object) {
  return readChatRequest({ ...LEAST, ...body }, LIMITS)
}

function codeOf(body: object, readBody: (body: object) => unknown = read): string | undefined {
  try {
    readBody(body)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

/** Every field name that the reader looks up in bodies with one of the known fields. */
function namesRead(): Set<string> {
  const names = new Set<string>()
  for (const known of KNOWN_FIELDS) {
    const get = (target: object, name: string | symbol) => {
      if (typeof name === 'string') names.add(name)
      return Reflect.get(target, name) as unknown
    }
    codeOf(new Proxy({ [known]: [], ...LEAST }, { get }), (body) => readChatRequest(body, LIMITS))
  }
  return names
}

describe('the description of the public API', () => {
  it('has exactly the fields that the gateway reads', () => {
    expect(fields.map(([name]) => name).toSorted()).toStrictEqual([...namesRead()].toSorted())
  })

  it('has exactly the fields that a mistyped one is compared with', () => {
    expect(fields.map(([name]) => name).toSorted()).toStrictEqual([...KNOWN_FIELDS].toSorted())
  })

  it('lists the required fields', () => {
    expect(required.map((name) => codeOf({ [name]: undefined }))).toStrictEqual(
      required.map(() => 'missing_required_parameter'),
    )
    expect(codeOf({})).toBeUndefined()
  })

  it.each(fields)('classifies %s correctly', (name, field) => {
    expect(field.examples).not.toHaveLength(0)
    for (const example of field.examples ?? []) {
      const body = { ...field['x-only-with'], [name]: example }
      if (field['x-class'] === 'rejected') {
        expect(codeOf(body)).toBe('unsupported_parameter')
        continue
      }
      const { ignored, demands } = read(body)
      expect(ignored).toStrictEqual(field['x-class'] === 'ignored' ? [name] : [])
      expect(demands.length > 0, 'depends on the device').toBe(field['x-class'] === 'device')
      for (const { feature } of demands) expect(field['x-feature']).toContain(feature)
      expect(codeOf({ ...field['x-only-with'], [name]: null }), 'null counts as not sent').toBe(
        required.includes(name) ? 'missing_required_parameter' : undefined,
      )
    }
  })

  it.each(fields.filter(([, { minimum, maximum }]) => (minimum ?? maximum) !== undefined))(
    'knows the bounds of %s',
    (name, { minimum, maximum, 'x-only-with': more }) => {
      for (const bound of [minimum, maximum])
        if (bound !== undefined) expect(codeOf({ ...more, [name]: bound })).toBeUndefined()
      if (minimum !== undefined) expect(codeOf({ ...more, [name]: minimum - 1 })).toMatch(/below_min_value$/)
      if (maximum !== undefined) expect(codeOf({ ...more, [name]: maximum + 1 })).toMatch(/above_max_value$/)
    },
  )

  it.each(fields.filter(([, { enum: values }]) => values !== undefined))(
    'knows the values of %s',
    (name, { enum: values, 'x-only-with': more }) => {
      for (const value of values ?? []) expect(codeOf({ ...more, [name]: value })).toBeUndefined()
      const other = typeof values?.[0] === 'boolean' ? !values[0] : 'other'
      expect(codeOf({ ...more, [name]: other })).toMatch(/^(invalid|unsupported)_(value|parameter)$/)
    },
  )

  it.each(fields.filter(([, field]) => field['x-only-with'] !== undefined && field.type !== 'string'))(
    'says that %s requires another field',
    (name, { examples }) => expect(codeOf({ [name]: examples?.[0] })).toBe('invalid_value'),
  )

  it('lists exactly the errors of the API, with their status and meaning', () => {
    const described = Object.entries(components.responses).flatMap(([status, { 'x-codes': codes }]) =>
      Object.entries(codes).map(([code, means]) => `${code} ${status} ${means}`),
    )
    const known = Object.entries(API_ERRORS)
      .filter(([, { means }]) => !/^(Console|Device|Console, device|hearth-seal|Console, hearth-seal):/.test(means))
      .map(([code, { status, means }]) => `${code} ${status} ${means}`)
    expect(described.toSorted()).toStrictEqual(known.toSorted())
  })

  it('has exactly the operations that the gateway routes', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => findOperation(method.toUpperCase(), path.replace('{model}', 'm')).name),
    )
    expect(described.toSorted()).toStrictEqual(['create-chat-completion', 'list-models', 'retrieve-model'])
  })
})
