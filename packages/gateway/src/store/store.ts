// Everything that is remembered, in the product's terms. Nobody outside knows SQL, and no prompt or completion ever reaches the store. The
// access tables (keys, models, devices) are read into memory once and again when their revision changes, so no request waits for the store.
// Every call that changes something also records who did it in the audit log.

import { auditQueries } from './audit.ts'
import { bindQueries } from './database/bind-queries.ts'
import type { Database } from './database/database.ts'
import { withReadableErrors } from './database/readable-errors.ts'
import { deviceCodeQueries } from './devices/device-codes.ts'
import { deviceQueries } from './devices/devices.ts'
import { enrolmentQueries } from './devices/enrolments.ts'
import { keyQueries } from './keys/keys.ts'
import { modelQueries } from './models.ts'
import { peerQueries } from './peers.ts'
import { accountQueries } from './people/accounts.ts'
import { activityQueries } from './people/activity.ts'
import { invitationQueries } from './people/invitations.ts'
import { memberQueries } from './people/members.ts'
import { personDataQueries } from './people/person-data.ts'
import { personDeletionQueries } from './people/delete-person.ts'
import { organizationDeletionQueries } from './people/delete-organization.ts'
import { organizationQueries } from './people/organizations.ts'
import { sessionQueries } from './people/sessions.ts'
import { signInQueries } from './people/sign-in.ts'
import { storedSecretQueries } from './people/stored-secrets.ts'
import { accessTableQueries } from './revisions/access-tables.ts'
import { announcementQueries } from './revisions/announcements.ts'
import { revisionReader } from './revisions/revisions.ts'
import { sealingQueries } from './sealing.ts'
import { tableSizeQueries } from './table-sizes.ts'
import { takeOverQueries } from './usage/take-over-counts.ts'
import { usageQueries } from './usage/usage.ts'

const QUERIES = {
  ...organizationQueries,
  ...organizationDeletionQueries,
  ...personDeletionQueries,
  ...personDataQueries,
  ...memberQueries,
  ...invitationQueries,
  ...signInQueries,
  ...sessionQueries,
  ...accountQueries,
  ...activityQueries,
  ...storedSecretQueries,
  ...keyQueries,
  ...modelQueries,
  ...deviceQueries,
  ...enrolmentQueries,
  ...deviceCodeQueries,
  ...accessTableQueries,
  ...announcementQueries,
  ...auditQueries,
  ...sealingQueries,
  ...takeOverQueries,
  ...peerQueries,
  ...tableSizeQueries,
}

export type Store = ReturnType<typeof createStore> & { close(): Promise<void> }

/** `keptRequests` is how many requests are listed, per organization. */
export function createStore(database: Database, keptRequests: number) {
  return withReadableErrors({
    ...bindQueries(database, QUERIES),
    ...bindQueries({ ...database, keptRequests }, usageQueries),
    ...revisionReader(database),
  })
}
