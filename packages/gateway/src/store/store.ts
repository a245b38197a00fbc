// The store's interface, in the product's terms. Nothing here knows SQL, and no prompt or completion ever reaches the store. The access
// tables (keys, models, devices) are read into memory once and again when their revision changes, so no request waits for the store. Every
// method that changes something also records who did it in the audit log.

import type { AccessStore, AnnouncementStore } from './interface/access.ts'
import type { AuditStore } from './interface/audit.ts'
import type { DeviceStore } from './interface/devices.ts'
import type { EnrolmentStore } from './interface/enrolments.ts'
import type { KeyStore } from './interface/keys.ts'
import type { MemberStore } from './interface/members.ts'
import type { ModelStore } from './interface/models.ts'
import type { OrganizationStore } from './interface/organizations.ts'
import type { PeopleStore } from './interface/people.ts'
import type { PeerStore } from './interface/peers.ts'
import type { UsageStore } from './interface/usage.ts'

export interface Store
  extends
    AccessStore,
    AnnouncementStore,
    OrganizationStore,
    MemberStore,
    PeopleStore,
    KeyStore,
    ModelStore,
    DeviceStore,
    EnrolmentStore,
    UsageStore,
    PeerStore,
    AuditStore {
  close(): Promise<void>
}

export type * from './interface/access.ts'
export type * from './interface/audit.ts'
export type * from './interface/devices.ts'
export type * from './interface/enrolments.ts'
export type * from './interface/keys.ts'
export type * from './interface/members.ts'
export type * from './interface/models.ts'
export type * from './interface/organizations.ts'
export type * from './interface/people.ts'
export type * from './interface/peers.ts'
export type * from './interface/usage.ts'
