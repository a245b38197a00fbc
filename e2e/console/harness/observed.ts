// Watches pages for what they must never do: ask another origin for anything, break, or be stopped by the content security policy.

import type { BrowserContext } from 'playwright-core'

export interface Observed {
  foreignRequests: string[]
  faults: string[]
}

/** The browser tells of every status from 400 on; pages expect some. A gateway that restarts cannot be reached for a while. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_)/

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
