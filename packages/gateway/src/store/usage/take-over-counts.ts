// How often a device continued replies of others, and others continued its own, among the latest requests of its organization.

import { and, eq, gte, isNotNull, or, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { recentRequest } from '../tables/usage.ts'

export const takeOverQueries = { countTakeOvers }

export interface TakeOverCounts {
  /** Replies of other devices that it continued. */
  continued: number
  /** Its own that others continued. */
  handedOn: number
}

interface TakeOverQuestion {
  organization: string
  device: string
  from: Date
}

/** Looks at the requests with a take-over alone, which an index has. The ring has a fixed size. */
async function countTakeOvers(
  { query }: Database,
  { organization, device, from }: TakeOverQuestion,
): Promise<TakeOverCounts> {
  const { organizationId, deviceId, leftDeviceId, at } = recentRequest
  const [counts] = await query
    .select({
      continued: sql<number>`count(*) filter (where ${deviceId} = ${device})`.mapWith(Number),
      handedOn: sql<number>`count(*) filter (where ${leftDeviceId} = ${device})`.mapWith(Number),
    })
    .from(recentRequest)
    .where(
      and(
        eq(organizationId, organization),
        gte(at, from),
        isNotNull(leftDeviceId),
        or(eq(deviceId, device), eq(leftDeviceId, device)),
      ),
    )
  return counts ?? { continued: 0, handedOn: 0 }
}
