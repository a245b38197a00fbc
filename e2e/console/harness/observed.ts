// Watches pages for requests to other origins, errors and violations of the content security policy.

import type { BrowserContext } from 'playwright-core'

export interface Observed {
  foreignRequests: string[]
  faults: string[]
}

/**
 * The browser logs every status of 400 or more, and some are expected. A restarting gateway is unreachable for a while. On a busy machine,
 * a page that takes seconds to appear uses its font later than the browser would like.
 */
const EXPECTED =
  /^Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_)|was preloaded using link preload but not used/

export function watchPage(context: BrowserContext, origin: string, observed: Observed): void {
  context.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url())
    if (asked !== origin && protocol !== 'data:' && protocol !== 'blob:') observed.foreignRequests.push(request.url())
  })
  context.on('weberror', (error) => observed.faults.push(error.error().message))
  context.on('console', (message) => {
    const isFault = message.type() === 'error' || message.type() === 'warning'
    if (isFault && !EXPECTED.test(message.text())) observed.faults.push(message.text())
  })
}
