// Ends what lets somebody in for a while only: sessions, sign-ins that are half done, links, codes and tokens. A backup cannot know which of them
// were used, ended or revoked after it was made, so none comes back.

import { sql } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'

const STATEMENTS = [
  sql`delete from session`,
  sql`delete from verification`,
  sql`delete from set_up_link`,
  sql`delete from device_code`,
  sql`delete from enrolment`,
  sql`delete from invitation`,
  // Keys of the playground, which end with their session.
  sql`update api_key set revoked_at = now() where session_id is not null and revoked_at is null`,
]

/** In a transaction that restores a backup, whichever version wrote it. */
export async function endShortLived(transaction: Handle): Promise<void> {
  for (const statement of STATEMENTS) await transaction.execute(statement)
}
