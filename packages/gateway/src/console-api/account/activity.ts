// What happened to your account lately.

import { z } from '@hono/zod-openapi'
import { ACCOUNT_EVENTS, SIGN_IN_WAYS } from '../../store/tables/activity.ts'
import { routesOf, json } from '../routes/route.ts'
import { count, dateTime, object } from '../routes/shapes.ts'

const route = routesOf('Account')

const activities = object('Activities', 'The newest come first, at most 100', {
  activities: z.array(
    object('Activity', {
      id: z.string(),
      event: z.enum(ACCOUNT_EVENTS),
      way: z.enum(SIGN_IN_WAYS).nullable().describe('How someone signed in'),
      address: z.string().nullable().describe('Null if wrong passwords or codes came from several'),
      browser: z.string().nullable().describe('The user agent, in the same way'),
      at: dateTime,
      lastAt: dateTime.describe('Wrong passwords and codes of an hour are one entry'),
      times: count,
    }),
  ),
})

export const listActivity = route('get', '/me/activity', {
  access: 'signed-in',
  summary: 'List sign-ins, wrong passwords and changes of how you sign in',
  responses: json('What happened', activities),
  async handle({ store }, context) {
    const rows = await store.listActivity(context.get('session').person.id)
    return { activities: rows.map((row) => ({ ...row, id: String(row.id) })) }
  },
})
