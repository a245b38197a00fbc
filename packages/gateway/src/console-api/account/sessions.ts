// Where you are signed in.

import { actorOf, takeEffect, type ConsoleApp, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/account.ts'
import { show } from '../routes/show.ts'

export function addSessions(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listSessions, async (context) => {
    const { id, person } = context.get('session')
    const rows = await store.listSessions({ person: person.id, at: new Date() })
    const sessions = rows.map((row) => ({ ...row, isThis: row.id === id }))
    return context.json(show(routes.sessions, { sessions }), 200)
  })

  app.openapi(routes.endSession, async (context) => {
    const ended = await endSessions(parts, context, { only: context.req.valid('param').session })
    if (ended === 0) throw notFound('session')
    return context.body(null, 204)
  })

  app.openapi(routes.endOtherSessions, async (context) => {
    await endSessions(parts, context, { except: context.get('session').id })
    return context.body(null, 204)
  })
}

/** Their playground keys and event streams end with them. */
async function endSessions(
  parts: ConsoleParts,
  context: ConsoleContext,
  which: { only: string } | { except: string },
): Promise<number> {
  const { person } = context.get('session')
  const ended = await parts.store.endSessions({ person: person.id, by: actorOf(context), ...which })
  await takeEffect(parts)
  for (const id of ended) parts.sessionEnds.emit(id)
  return ended.length
}
