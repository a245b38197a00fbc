// Live updates as server-sent events. A stream ends with the session or membership it was opened with, and when the store falls silent: at
// once if the session ends here, and at the next heartbeat if it ends elsewhere, however much there is to tell.

import { z } from '@hono/zod-openapi'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { reachOf } from '../../access/policy.ts'
import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import type { LiveKind } from '../state/change-feed.ts'
import { organizationOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { routesOf } from '../routes/route.ts'

/** Shorter than the timeout of common proxies; also how often the session is checked when nothing happens. */
const HEARTBEAT_MS = 15_000

const route = routesOf('Organization')

const changeKinds = ['devices', 'models', 'keys', 'members', 'usage', 'organization'] as const

export const followEvents = route('get', '/organizations/{organization}/events', {
  access: 'events.read',
  summary: 'Follow changes as server-sent events',
  responses: {
    200: {
      description: `Read everything after the stream opens. The data of each event is one of ${changeKinds.join(', ')}: read that again`,
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
  handle(parts, context) {
    const organization = organizationOf(context)
    const { address, whenOver } = context.env
    whenOver(parts.streams.enter({ person: context.get('session').person.id, organization, address }))
    return streamSSE(context, async (stream) => {
      const listening = listen(parts, organization)
      stream.onAbort(() => listening.stop())
      const { id } = context.get('session')
      const stop = () => listening.stop()
      parts.sessionEnds.once(id, stop)
      whenOver(() => parts.sessionEnds.off(id, stop))
      // Also for a client that left before the first byte, or asks for the head only.
      whenOver(() => stream.abort())
      try {
        await whileStoreAnswers(parts.book, () => parts.feed.look())
        await stream.write(': listening\n\n')
        let checkedAt = Number.NEGATIVE_INFINITY
        await passOnEvents(stream, listening, async (kinds) => {
          const isDue = performance.now() - checkedAt >= HEARTBEAT_MS
          if (!isDue && !kinds.has('members') && !kinds.has('organization')) return true
          checkedAt = performance.now()
          return whileStoreAnswers(parts.book, () => isStillIn(parts, context))
        })
      } catch (error) {
        // The framework would print it. The page opens another stream, which gets a proper error.
        parts.onInternalError(error, context.env.requestId)
      } finally {
        listening.stop()
      }
    })
  },
})

interface Listening {
  /** Changes that have not been passed on yet. */
  waiting: Set<LiveKind>
  isOver: boolean
  /** Resolves when something has changed, or when it is time for a heartbeat. */
  news(): Promise<void>
  stop(): void
}

function listen({ feed }: ConsoleParts, organization: string): Listening {
  let wake = () => {}
  const listening: Listening = {
    waiting: new Set(),
    isOver: false,
    news: () => until((resolve) => (wake = resolve)),
    stop() {
      leave()
      listening.isOver = true
      wake()
    },
  }
  const leave = feed.listen(organization, (news) => {
    // Nobody can tell whether the session still exists.
    if (news === 'silence') return listening.stop()
    listening.waiting.add(news)
    wake()
  })
  return listening
}

async function passOnEvents(
  stream: SSEStreamingApi,
  listening: Listening,
  mayGoOn: (kinds: ReadonlySet<LiveKind>) => Promise<boolean>,
): Promise<void> {
  const { waiting } = listening
  while (!listening.isOver && (await mayGoOn(waiting))) {
    const kinds = [...waiting]
    waiting.clear()
    for (const kind of kinds) await stream.writeSSE({ data: kind })
    if (kinds.length === 0) await stream.write(': \n\n')
    if (waiting.size === 0 && !listening.isOver) await listening.news()
  }
}

/** Checked at each heartbeat and when members have changed. */
async function isStillIn({ accounts, store }: ConsoleParts, context: ConsoleContext): Promise<boolean> {
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
