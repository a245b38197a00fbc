// The console API: every route behind its guard. Errors have the format of errors.ts.

import { OpenAPIHono, type Hook } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError, errorBody, toApiError } from '@hearth/chat'
import { isForwardedHttps } from '../access/network/forwarded-https.ts'
import { readFault } from '../access/read-fault.ts'
import { addLibraryEndpoints } from './account/library-endpoints.ts'
import type { ConsoleApp, ConsoleEnv, ConsoleParts, ConsoleContext } from './console.ts'
import { CONSOLE_PREFIX, describeConsoleApi, ROUTES } from './document.ts'
import { limitCrowds } from './guard/crowd-limit.ts'
import { guard } from './guard/guard.ts'
import { PersonTurns } from './guard/person-turns.ts'
import { rejectOtherSites } from './guard/same-site.ts'
import { ACCESS_FIELD, DEVICE_ANSWERS_WITHIN_MS, WITHIN_FIELD, type ConsoleRoute } from './routes/route.ts'
import { show } from './routes/show.ts'

/** Nothing that people type is longer than this. */
export const MAX_CONSOLE_BODY_BYTES = 64 * 1024

export function createConsoleApi(parts: ConsoleParts): ConsoleApp {
  const app: ConsoleApp = new OpenAPIHono<ConsoleEnv>()
  app.use(async (context, next) => {
    await next()
    context.header('x-request-id', context.env.requestId)
    if (isForwardedHttps((name) => context.req.header(name))) secureCookies(context.res.headers)
    for (const [name, value] of HEADERS) if (!context.res.headers.has(name)) context.header(name, value)
  })
  app.use(limitCrowds())
  app.use(rejectLargeBodies)
  app.use(rejectOtherSites(parts))
  const description = JSON.stringify(describeConsoleApi())
  app.get('/api/openapi.json', (context) => context.body(description, 200, { 'content-type': 'application/json' }))
  app.route(CONSOLE_PREFIX, createRoutes(parts))
  addLibraryEndpoints(app, parts)
  // Last: the catch-all 404.
  app.notFound(({ req }) => {
    const hint = isMeantForApi(req.path) ? ' The API is at /openai/v1: check your base URL.' : ''
    throw new ApiError('unknown_url', `Invalid URL (${req.method} ${req.path.slice(0, 256)}).${hint}`, null, {
      'access-control-allow-origin': '*',
    })
  })
  app.onError((error, context) => answerError(error, context, parts))
  return app
}

function createRoutes(parts: ConsoleParts): ConsoleApp {
  const routes: ConsoleApp = new OpenAPIHono<ConsoleEnv>({ defaultHook: rejectInvalid })
  const turns = new PersonTurns()
  // For calls that wait for a device, not for the store, and much longer.
  const deviceTurns = new PersonTurns()
  for (const route of ROUTES) {
    const { method, path, [ACCESS_FIELD]: access, [WITHIN_FIELD]: withinMs } = route
    const rules = { access, withinMs, turns: withinMs === DEVICE_ANSWERS_WITHIN_MS ? deviceTurns : turns }
    routes.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'), guard(parts, rules))
    routes.openapi(route, (context: ConsoleContext) => answer(route, parts, context) as never)
  }
  return routes
}

type Target = 'param' | 'query' | 'json'

async function answer({ handle, responses }: ConsoleRoute, parts: ConsoleParts, context: ConsoleContext) {
  const valid = (target: Target) => (context.req.valid as (target: Target) => object | undefined)(target)
  // The path last: the guard has checked that very organization, and nothing may stand in for it.
  const input = { ...valid('query'), ...valid('json'), ...valid('param') }
  const result = await handle(parts, context, input as never)
  if (result instanceof Response) return result
  const shape = shapeOf(responses)
  return shape ? context.json(show(shape, result)) : context.body(null, 204)
}

function shapeOf({ 200: response }: ConsoleRoute['responses']): unknown {
  const content = response && 'content' in response ? response.content?.['application/json'] : undefined
  return content && 'schema' in content ? content.schema : undefined
}

const HEADERS = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
] as const

// A body without a declared size could have any size, so it is rejected too. Browsers always declare it.
const rejectLargeBodies: MiddlewareHandler<ConsoleEnv> = async ({ req }, next) => {
  if (
    Number(req.header('content-length') ?? 0) > MAX_CONSOLE_BODY_BYTES ||
    req.header('transfer-encoding') !== undefined
  )
    throw new ApiError('request_too_large', `Maximum content size limit (${MAX_CONSOLE_BODY_BYTES} bytes) exceeded.`)
  await next()
}

/** Base URLs of the reference API end in /v1, and of some clients without it. */
function isMeantForApi(path: string): boolean {
  return /^\/+(v1|openai|chat|models|completions)(\/|$)/.test(path)
}

// Turns anything that a handler throws into an error of the table.
function answerError(thrown: unknown, context: ConsoleContext, parts: ConsoleParts): Response {
  const known = readFault(thrown) ?? readFrameworkError(thrown)
  if (!known) parts.onInternalError(thrown, context.env.requestId)
  const error = known ?? toApiError(thrown)
  const headers = { 'content-type': 'application/json', ...error.headers }
  return context.body(errorBody(error), error.status as ContentfulStatusCode, headers)
}

/** The framework's own errors are only about bodies that it cannot parse. */
function readFrameworkError(thrown: unknown): ApiError | undefined {
  const isTheirs = thrown instanceof HTTPException && thrown.status < 500
  return isTheirs ? new ApiError('invalid_json', 'We could not parse the JSON body of your request.') : undefined
}

/** Rejects a body, query or path that does not match its schema. */
const rejectInvalid: Hook<unknown, ConsoleEnv, string, unknown> = (result) => {
  if (result.success) return
  const [issue] = result.error.issues
  const param = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join('.') || null
  const what = param ? `'${param.slice(0, 64)}'` : result.target === 'json' ? 'body' : result.target
  throw new ApiError('invalid_value', `Invalid ${what}: ${issue?.message.slice(0, 256)}`, param)
}

// Without an https:// PUBLIC_URL, the account library doesn't know that a browser came over HTTPS, and its cookies lack `Secure`.
function secureCookies(headers: Headers): void {
  const cookies = headers.getSetCookie()
  if (cookies.every(isSecure)) return
  headers.delete('set-cookie')
  for (const cookie of cookies) headers.append('set-cookie', isSecure(cookie) ? cookie : `${cookie}; Secure`)
}

function isSecure(cookie: string): boolean {
  return /;\s*secure\s*(;|$)/i.test(cookie)
}
