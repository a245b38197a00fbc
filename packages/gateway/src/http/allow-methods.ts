import type { IncomingMessage } from 'node:http'
import { ApiError } from '@hearth/chat'

/** Throws a 405 for any other method. */
export function allowMethods({ method }: IncomingMessage, path: string, allowed: readonly string[]): void {
  if (allowed.includes(method ?? '')) return
  throw new ApiError('method_not_allowed', `Not allowed to ${method} on ${path}.`, null, { allow: allowed.join(', ') })
}
