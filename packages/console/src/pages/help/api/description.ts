// The parts of an OpenAPI description that the console shows, and lookups in it.

export interface Description {
  info: { title: string; description?: string }
  servers?: { url: string }[]
  security?: object[]
  paths: Record<string, Partial<Record<Method, RawOperation>>>
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Response> }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface RawOperation {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response | Reference>
  /** Who may call it. Only in the console API. */
  'x-access'?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

type Content = Record<string, { schema: Schema; example?: unknown }>

interface Response {
  description: string
  headers?: Record<string, { description?: string; schema: Schema }>
  content?: Content
  /** Error codes and their meanings. */
  'x-codes'?: Record<string, string>
}

interface Reference {
  $ref: string
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  default?: unknown
  example?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  deprecated?: boolean
  'x-class'?: FieldClass
  'x-feature'?: string
}

/** How the gateway treats a field of a chat request. */
export type FieldClass = 'supported' | 'device' | 'ignored' | 'rejected'

export interface Operation extends Omit<RawOperation, 'responses'> {
  method: Method
  path: string
  tag: string
  responses: [status: string, response: Response][]
}

export function listOperations(description: Description): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      ...raw,
      method: method as Method,
      path,
      tag: raw.tags?.[0] ?? 'Other',
      responses: Object.entries(raw.responses).map(([status, response]): [string, Response] => [
        status,
        '$ref' in response ? (find(description, response.$ref) as Response) : response,
      ]),
    })),
  )
}

/** Follows a reference. Properties next to it, such as a description, win. */
export function resolve(description: Description, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const { $ref, ...beside } = schema
  return { ...(find(description, $ref) as Schema), ...beside }
}

/** `Message` for `#/components/schemas/Message`. */
export function schemaName({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1)
}

/** Looks up a reference such as `#/components/schemas/Message`. */
function find(description: Description, reference: string): unknown {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], description)
  if (found === undefined) throw new Error(`${reference} is not in the OpenAPI description`)
  return found
}
