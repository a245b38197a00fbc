// Live updates as server-sent events. A stream ends with the session or membership it was opened with.

import { streamSSE } from 'hono/streaming'
import { reachOf } from '../access/policy.ts'
import type { LiveKind } from './change-feed.ts'
import { organizationOf, type ConsoleApp, type ConsoleContext, type ConsoleParts } from './console.ts'
import * as routes from './routes/organization.ts'

/** Shorter than the timeout of common proxies; also how often the session is checked when nothing happens. */
const HEARTBEAT_MS = 15_000

export function addEvents(app: ConsoleApp, parts: ConsoleParts): void {
  app.openapi(routes.followEvents, (context) => {
    const organization = organizationOf(context)
    return streamSSE(context, async (stream) => {
      const waiting = new Set<LiveKind>()
      let wake = () => {}
      const stop = parts.feed.listen(organization, (kind) => {
        waiting.add(kind)
        wake()
      })
      stream.onAbort(() => {
        stop()
        wake()
      })
      await parts.feed.look()
      await stream.write(': listening\n\n')
      while (!stream.aborted && (await isStillIn(parts, context, waiting))) {
        const kinds = [...waiting]
        waiting.clear()
        for (const kind of kinds) await stream.writeSSE({ data: kind })
        if (kinds.length === 0) await stream.write(': \n\n')
        if (waiting.size === 0) await until((resolve) => (wake = resolve))
      }
      stop()
    })
  })
}

/** Checked at each heartbeat and when members have changed. */
async function isStillIn(
  { accounts, store }: ConsoleParts,
  context: ConsoleContext,
  waiting: ReadonlySet<LiveKind>,
): Promise<boolean> {
  if (waiting.size > 0 && !waiting.has('members') && !waiting.has('organization')) return true
  const session = await accounts.session(context.req.raw.headers)
  if (!session) return false
  const membership = await store.membership({ organization: organizationOf(context), person: session.person.id })
  return membership !== undefined && reachOf(membership.role, 'events.read') !== 'none'
}

/** Waits for a call of `resolve`, or until it is time for a heartbeat. */
async function until(whenCalled: (resolve: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, HEARTBEAT_MS)
  whenCalled(resolve)
  await promise
  clearTimeout(timer)
}
