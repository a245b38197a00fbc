// Pages of other sites must not act on behalf of the person who is signed in here. Browsers send the origin of a request, which has to be
// this site. Other programs send none, and have no cookies to abuse.

import type { MiddlewareHandler } from 'hono'
import { ApiError } from '@hearth/chat'
import { baseUrl, type ConsoleEnv, type ConsoleParts } from '../console.ts'

const SAFE = ['GET', 'HEAD', 'OPTIONS']

export function rejectOtherSites(parts: ConsoleParts): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    const { req } = context
    const origin = req.header('origin')
    const site = req.header('sec-fetch-site')
    const isForeign =
      (origin !== undefined && !isSameOrigin(origin, baseUrl(parts, context))) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none')
    if (isForeign && !SAFE.includes(req.method))
      throw new ApiError('wrong_origin', 'This request came from a page of another site.')
    await next()
  }
}

function isSameOrigin(origin: string, base: string): boolean {
  const [one, other] = [URL.parse(origin), URL.parse(base)]
  if (!one || !other) return false
  return one.host === other.host && (one.protocol === other.protocol || other.protocol === 'http:')
}
