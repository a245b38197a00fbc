// The data that decides about every request. It is read into memory once, and then only what has changed.

import type { ModelDefaults } from '@hearth/protocol'
import type { KeyLimits } from './keys.ts'
import type { ModelState } from './models.ts'

export interface AccessStore {
  /** Numbers that increase by one with every change, in the same transaction. */
  revisions(): Promise<Revisions>
  accessKeys(): Promise<AccessKey[]>
  accessModels(): Promise<AccessModel[]>
  accessDevices(): Promise<AccessDevice[]>
  /** The same in pages. */
  keyPage(request: PageRequest): Promise<Page<AccessKey>>
  modelPage(request: PageRequest): Promise<Page<AccessModel>>
  devicePage(request: PageRequest): Promise<Page<AccessDevice>>
  /** What changed in these revisions; undefined if it was too long ago to know. */
  changedKeys(range: RevisionRange): Promise<Changed<AccessKey>[] | undefined>
  changedModels(range: RevisionRange): Promise<Changed<AccessModel>[] | undefined>
  changedDevices(range: RevisionRange): Promise<Changed<AccessDevice>[] | undefined>
}

export interface AnnouncementStore {
  /** From now on, tells the listener of every change of access when it is committed. */
  watchAccess(listener: AccessListener): Promise<AccessWatch>
  /** Resolves when every gateway that watches has read the changes made so far, or after a second. */
  changesAreKnown(): Promise<void>
}

export interface AccessListener {
  /** Something may have changed. */
  onChange(): void
  /** The connection was lost. It is opened again. */
  onError(error: unknown): void
}

export interface AccessWatch {
  /** This gateway has read everything up to these revisions. */
  known(revisions: Revisions): void
  close(): Promise<void>
}

export interface Revisions {
  keys: number
  models: number
  devices: number
}

/** Identifies a row. */
export interface Place {
  organization: string
  /** The name of a model; the id of a key or device. */
  id: string
}

export interface PageRequest {
  /** The end of the page before. */
  after?: Place
  limit: number
}

export interface Page<Row> {
  rows: Row[]
  /** Where the next page starts; undefined if there is none. */
  end?: Place
}

export interface RevisionRange {
  after: number
  upTo: number
}

export interface Changed<Row> extends Place {
  /** As it is now, even if it changed again after these revisions; undefined if it is gone or no longer gives access. */
  now?: Row
}

/** Only keys that work: not revoked or disabled, and their creator is still a member. Expiry is checked when a key is used. */
export interface AccessKey {
  id: string
  organization: string
  digest: string
  /** The secret from before the last rotation, and until when it works. */
  previous?: { digest: string; endsAt: Date }
  expiresAt?: Date
  /** The only models it may use; undefined means all of them. */
  models?: string[]
  limits?: KeyLimits
  /** The organization wants devices to reuse no prompts across keys. */
  separatesPrefixes?: boolean
}

export interface AccessModel {
  organization: string
  name: string
  state: ModelState
  ownedBy: string
  createdAt: Date
  /** What the organization set; undefined if nothing. */
  defaults?: ModelDefaults
}

export interface AccessDevice {
  id: string
  organization: string
  name: string
  credentialDigest: string
  isPaused: boolean
}
