// A route: its request, its responses, the access it requires, and what it does. Every route has to name its access.

import { createRoute, z, type RouteConfig } from '@hono/zod-openapi'
import type { Action } from '../../access/policy.ts'
import type { ConsoleContext, ConsoleParts } from '../console.ts'
import { errorBody, id } from './shapes.ts'
import type { Showable } from './show.ts'

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

/** What every route has. */
export interface ConsoleRoute extends RouteConfig {
  [ACCESS_FIELD]: Access
  [WITHIN_FIELD]?: number
  handle: (parts: ConsoleParts, context: ConsoleContext, input: never) => unknown
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

interface Json<Shape> {
  content: { 'application/json': { schema: Shape } }
}

/** The ids in the path, and the fields of the query and of the body. */
type InputOf<Path extends string, Request> = Record<NamesIn<Path>, string> &
  (Request extends { query: infer Shape extends z.ZodType } ? z.output<Shape> : unknown) &
  (Request extends { body: Json<infer Shape extends z.ZodType> } ? z.output<Shape> : unknown)

/** A response of its own, or what its schema shows. */
type AnswerOf<Responses> = Responses extends { 200: Json<infer Shape extends z.ZodType> }
  ? Showable<z.output<Shape>> | Response
  : Responses extends typeof done
    ? void
    : Response

const done = { 204: { description: 'Done' } }

interface Description<Path extends string, Request, Responses> {
  access: Access
  summary: string
  [WITHIN_FIELD]?: number
  request?: Request
  /** Left out: success without a body. */
  responses?: Responses
  handle: (
    parts: ConsoleParts,
    context: ConsoleContext,
    input: InputOf<Path, Request>,
  ) => AnswerOf<Responses> | Promise<AnswerOf<Responses>>
}

/** Describes the routes of one topic. */
export function routesOf(topic: string) {
  return <
    Path extends string,
    Responses extends RouteConfig['responses'] = typeof done,
    Request extends Omit<NonNullable<RouteConfig['request']>, 'params'> = object,
  >(
    method: RouteConfig['method'],
    path: Path,
    { access, request, responses, handle, ...rest }: Description<Path, Request, Responses>,
  ): ConsoleRoute => ({
    ...createRoute({
      method,
      path,
      tags: [topic],
      ...rest,
      [ACCESS_FIELD]: access,
      request: { ...paramsOf(path), ...request },
      responses: { ...(responses ?? done), default: { description: 'The error', ...jsonContent(errorBody) } },
    }),
    handle,
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
