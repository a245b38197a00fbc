// Finds the operation of the API for a path and a method. Trailing slashes are ignored, and so are duplicate ones of fixed routes; a model's
// name may contain slashes, raw or encoded, so it is everything after /models/.

import { ApiError } from '@hearth/chat'
import { modelNotFound } from '../../chat/find-model.ts'

const API_PREFIX = '/openai/v1'

export type Operation =
  | { name: 'create-chat-completion' }
  | { name: 'list-models' }
  | { name: 'retrieve-model'; model: string }

const ELSEWHERE =
  /^\/(responses|completions|embeddings|images|audio|files|assistants|threads|batches|moderations)(\/|$)/

/** The path below the prefix; undefined if it is elsewhere. */
export function pathInApi(path: string): string | undefined {
  if (path.startsWith('/openai/v1/')) return path.slice(API_PREFIX.length)
  const collapsed = collapseSlashes(path)
  if (collapsed === API_PREFIX) return '/'
  return collapsed.startsWith('/openai/v1/') ? collapsed.slice(API_PREFIX.length) : undefined
}

/** `path` is relative to the prefix. Throws a 404 for an unknown path and a 405 for a method that it does not support. */
export function findOperation(method: string, path: string): Operation {
  if (path === '/chat/completions') return allow(method, ['POST'], path, { name: 'create-chat-completion' })
  const fixed = trimSlashes(collapseSlashes(path))
  if (fixed === '/chat/completions') return allow(method, ['POST'], path, { name: 'create-chat-completion' })
  if (fixed === '/models') return allow(method, ['GET', 'HEAD'], path, { name: 'list-models' })
  const [, name] = /^\/+models\/+(.+)$/.exec(path) ?? []
  if (name !== undefined)
    return allow(method, ['GET', 'HEAD'], path, { name: 'retrieve-model', model: decodeName(trimSlashes(name)) })
  throw unknownUrl(method, API_PREFIX + path)
}

function unknownUrl(method: string, path: string): ApiError {
  const inApi = path.startsWith(API_PREFIX) ? path.slice(API_PREFIX.length) : path
  const hint = ELSEWHERE.test(inApi) ? ' Only chat completions and models are served here.' : ''
  return new ApiError('unknown_url', `Invalid URL (${method} ${path.slice(0, 256)}).${hint}`)
}

function allow(method: string, methods: readonly string[], path: string, operation: Operation): Operation {
  if (methods.includes(method)) return operation
  const allowed = [...methods, 'OPTIONS'].join(', ')
  throw new ApiError(
    'method_not_allowed',
    `Not allowed to ${method} on ${API_PREFIX}${path.slice(0, 256)}. (HINT: Perhaps you meant to use a different HTTP method?)`,
    null,
    { allow: allowed },
  )
}

// Decoded exactly once. A name that cannot be decoded is unknown.
function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw modelNotFound(encoded)
  }
}

function collapseSlashes(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/')
}

/** Without a regular expression: the path comes from outside, and one that looks for the end of a run of slashes can take very long. */
function trimSlashes(name: string): string {
  let end = name.length
  while (end > 0 && name[end - 1] === '/') end -= 1
  return name.slice(0, end)
}
