// Where you are signed in.

import { z } from '@hono/zod-openapi'
import { actorOf, takeEffect, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { requireDone } from '../guard/guard.ts'
import { routesOf, json } from '../routes/route.ts'
import { dateTime, id, object } from '../routes/shapes.ts'
import { browserNameOf } from './note-activity.ts'

const route = routesOf('Account')

const sessions = object('Sessions', 'Those used last come first, at most 100', {
  sessions: z.array(
    object('Session', {
      id,
      address: z.string().nullable().describe('The network address that it began from'),
      browser: z.string().nullable().describe('The user agent that it began with'),
      createdAt: dateTime,
      lastSeenAt: dateTime.describe('Up to 15 minutes late'),
      isThis: z.boolean().describe('The session that asks'),
    }),
  ),
})

export const listSessions = route('get', '/me/sessions', {
  access: 'signed-in',
  summary: 'List where you are signed in',
  responses: json('Your sessions', sessions),
  async handle({ store }, context) {
    const { id: own, person } = context.get('session')
    const rows = await store.listSessions({ person: person.id, at: new Date() })
    return { sessions: rows.map((row) => ({ ...row, isThis: row.id === own })) }
  },
})

export const endSession = route('delete', '/me/sessions/{session}', {
  access: 'signed-in',
  summary: 'End one of your sessions',
  async handle(parts, context, { session }) {
    requireDone('session', (await endSessions(parts, context, { only: session })) > 0)
  },
})

export const endOtherSessions = route('delete', '/me/sessions', {
  access: 'signed-in',
  summary: 'End all your sessions but this one',
  async handle(parts, context) {
    await endSessions(parts, context, { except: context.get('session').id })
  },
})

/** Their playground keys and event streams end with them. */
async function endSessions(
  parts: ConsoleParts,
  context: ConsoleContext,
  which: { only: string } | { except: string },
): Promise<number> {
  const { person } = context.get('session')
  const by = actorOf(context)
  const ended = await parts.store.endSessions({ person: person.id, by, browser: browserNameOf(context), ...which })
  if (ended.length > 0) parts.onAccountEvent({ event: 'end-sessions', person: person.id, address: context.env.address })
  await takeEffect(parts)
  for (const id of ended) parts.sessionEnds.emit(id)
  return ended.length
}
