// Describes a route: its request, its responses, and the access it requires. Every route has to name its access.

import { createRoute, z, type RouteConfig } from '@hono/zod-openapi'
import type { Action } from '../../access/policy.ts'
import { errorBody, id } from './shapes.ts'

/** `anyone` needs no session, `signed-in` needs one, and an action needs a membership whose role allows it. */
export type Access = Action | 'anyone' | 'signed-in'

/** The OpenAPI extension that contains an operation's access. */
export const ACCESS_FIELD = 'x-access'

/** The OpenAPI extension that says how long an operation may take, if that is longer than for others. */
export const WITHIN_FIELD = 'x-answers-within-ms'

/** Of an operation that hashes a password, which waits for the CPU too. Below the driver's limit, so that there is always a reason. */
export const PASSWORD_ANSWERS_WITHIN_MS = 25_000

/** Of an operation that asks a device: the device may take 45 s. */
export const DEVICE_ANSWERS_WITHIN_MS = 60_000

/** The fields that every route has. */
export type DescribedRoute = RouteConfig & { [ACCESS_FIELD]: Access; [WITHIN_FIELD]?: number }

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The ids in a path. */
type ParamsOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { params: z.ZodObject<Record<NamesIn<Path>, typeof id>> }

const done = { 204: { description: 'Done' } }

interface Description<Request, Responses> {
  access: Access
  summary: string
  [WITHIN_FIELD]?: number
  request?: Request
  /** Left out: success without a body. */
  responses?: Responses
}

/** Describes the routes of one topic. */
export function routesOf(topic: string) {
  return <
    Method extends RouteConfig['method'],
    Path extends string,
    Responses extends RouteConfig['responses'] = typeof done,
    Request extends Omit<NonNullable<RouteConfig['request']>, 'params'> = object,
  >(
    method: Method,
    path: Path,
    { access, request, responses, ...rest }: Description<Request, Responses>,
  ) =>
    createRoute({
      method,
      path,
      tags: [topic],
      ...rest,
      [ACCESS_FIELD]: access,
      request: { ...paramsOf(path), ...request } as ParamsOf<Path> & Request,
      responses: {
        ...((responses ?? done) as Responses),
        default: { description: 'The error', ...jsonContent(errorBody) },
      },
    })
}

function paramsOf(path: string): { params?: z.ZodObject } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  const params = names.map((name) => [name, id.openapi({ param: { name, in: 'path' } })])
  return { params: z.object(Object.fromEntries(params)) }
}

export function json<Shape extends z.ZodType>(description: string, shape: Shape) {
  return { 200: { description, ...jsonContent(shape) } }
}

export function body<Shape extends z.ZodType>(shape: Shape) {
  return { body: { required: true, ...jsonContent(shape) } }
}

function jsonContent<Shape extends z.ZodType>(schema: Shape) {
  return { content: { 'application/json': { schema } } }
}
