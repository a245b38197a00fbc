// Turns audit log entries into sentences. An action that this console doesn't know yet is shown by its name.

import type { Schemas } from '../../api/client.ts'
import { formatCount, formatDateTime, plural } from '../../lib/format.ts'

type Entry = Schemas['AuditEntry']

/** Verbs that the name of the object follows. */
const DONE: Record<string, string> = {
  'device.approve': 'approved device',
  'device.deny': 'rejected device',
  'device.remove': 'removed device',
  'enrolment.create': 'created an install command',
  'enrolment.revoke': 'revoked an install command',
  'key.change': 'changed key',
  'key.create': 'created key',
  'key.disable': 'disabled key',
  'key.enable': 'enabled key',
  'key.end-previous': 'stopped the old secret of key',
  'key.revoke': 'revoked key',
  'key.rotate': 'rotated key',
  'member.add': 'added member',
  'member.budget': 'changed the monthly budget of',
  'member.change': 'changed the role of',
  'member.remove': 'removed member',
  'member.reset': 'reset the sign-in of',
  'model.change': 'changed model',
  'model.defaults': 'changed the defaults of model',
  'model.disable': 'disabled model',
  'model.enable': 'enabled model',
  'model.forget': 'stopped adding model',
  'model.remove': 'removed model',
  'organization.create': 'created organization',
  'organization.change': 'changed the settings of',
  'organization.delete': 'deleted organization',
  'organization.restore': 'restored organization',
}

export interface Sentence {
  verb: string
  /** Empty if the verb says everything. */
  object: string
  /** The device where it happened, if the object is something else. */
  device?: string
}

/** Sentences that depend on more than the action. */
const SENTENCES: Record<string, (entry: Entry) => Sentence> = {
  'device.change': (entry) => describeDeviceChange(entry),
  // A device that joins by itself is both actor and object.
  'device.enrol': ({ actor, object }) =>
    actor.kind === 'device'
      ? { verb: 'joined as a device', object: '' }
      : { verb: 'added device', object: object.name },
  'invitation.create': ({ after }) => describeInvitation(after, 'invited', 'created'),
  'invitation.revoke': ({ before }) => describeInvitation(before, 'revoked the invitation for', 'revoked'),
  'member.join': ({ after }) => ({ verb: `joined as ${withArticle(after?.['role'])}`, object: '' }),
  'member.delete-account': ({ actor, object }) =>
    actor.id === object.id
      ? { verb: 'deleted their account', object: '' }
      : { verb: 'deleted the account of', object: object.name },
  'member.add-passkey': () => ({ verb: 'added a passkey', object: '' }),
  'member.remove-passkey': () => ({ verb: 'removed a passkey', object: '' }),
  'member.end-sessions': ({ after }) => ({
    verb: `ended ${plural(Number(after?.['sessions']), 'session')} of their own`,
    object: '',
  }),
  'member.sign-in': ({ after }) => ({
    verb: `signed in with ${WAYS[String(after?.['way'])] ?? 'a password'}`,
    object: '',
  }),
  'member.wrong-password': ({ object }) => ({ verb: 'gave a wrong password for', object: object.name }),
  'member.wrong-code': ({ object }) => ({ verb: 'gave a wrong code for', object: object.name }),
  'member.change-password': () => ({ verb: 'changed their password', object: '' }),
  'member.add-second-factor': () => ({ verb: 'turned on two-factor authentication', object: '' }),
  'member.remove-second-factor': () => ({ verb: 'turned off two-factor authentication', object: '' }),
  'member.leave': () => ({ verb: 'left the organization', object: '' }),
  'member.rename': ({ actor, object }) => ({
    verb: actor.id === object.id ? 'changed their name to' : 'renamed a member to',
    object: object.name,
  }),
  'model.cancel': (entry) => onDevice('canceled the download of', entry),
  'model.delete': (entry) => onDevice('removed the copy of', entry),
  'model.download': (entry) => onDevice('started a download of', entry),
  'model.pause': (entry) => onDevice('paused the download of', entry),
  'model.serve': (entry) => onDevice('had the local server served:', entry),
  'model.unblock': (entry) => onDevice('unblocked the requests that crashed', entry),
  // The object is named as it was before.
  'organization.rename': (entry) => renamed('renamed the organization to', entry),
  'organization.seal': ({ before, after }) => ({ verb: describeSeal(before, after), object: '' }),
  'organization.sign': ({ after }) => ({ verb: describeSigned(after), object: '' }),
  'member.set-up': () => ({ verb: 'set up the gateway', object: '' }),
}

const WAYS: Record<string, string> = {
  code: 'a password and a code',
  'backup-code': 'a password and a backup code',
  passkey: 'a passkey',
  provider: 'single sign-on',
}

function onDevice(verb: string, { after, object }: Entry): Sentence {
  const device = after?.['device']
  return { verb, object: object.name, ...(typeof device === 'string' && { device }) }
}

function renamed(verb: string, { after, object }: Entry): Sentence {
  return { verb, object: show(after?.['name']) ?? object.name }
}

function describeDeviceChange(entry: Entry): Sentence {
  const { before, after, object } = entry
  if (before?.['name'] !== after?.['name']) return renamed('renamed a device to', entry)
  if (before?.['isPaused'] === after?.['isPaused']) return { verb: 'changed device', object: object.name }
  return { verb: after?.['isPaused'] === true ? 'paused device' : 'resumed device', object: object.name }
}

function describeSeal(before: Entry['before'], after: Entry['after']): string {
  if (before?.['seal'] === after?.['seal']) return `turned sealed requests to ${show(after?.['sealing']) ?? ''}`
  return typeof before?.['seal'] === 'string' ? 'replaced the seal' : 'set the seal'
}

function describeSigned(after: Entry['after']): string {
  const what = after?.['list'] === 'administrators' ? 'administrator' : 'device'
  return `signed list ${show(after?.['number']) ?? ''} with ${plural(Number(after?.['entries']), what)}`
}

function describeInvitation(invitation: Entry['after'], forSomeone: string, forAnyone: string): Sentence {
  const email = invitation?.['email']
  if (typeof email === 'string') return { verb: forSomeone, object: email }
  return { verb: `${forAnyone} ${withArticle(invitation?.['role'])} invitation`, object: '' }
}

function withArticle(role: unknown): string {
  return role === 'owner' || role === 'admin' ? `an ${role}` : 'a member'
}

/** Denied entries carry the name of the permission that was missing. */
const DENIED: Record<string, string> = {
  'audit.read': 'read the audit log',
  'device.approve': 'approve a device with a wrong code',
  'devices.change': 'change a device',
  'devices.enrol': 'add a device',
  'members.change': 'change a role',
  'members.invite': 'invite someone',
  'members.leave': 'leave as the last owner',
  'members.remove': 'remove a member',
  'models.change': 'change models',
  'organization.change': 'change the organization',
  'organization.delete': 'delete the organization',
  'sealing.change': 'change sealed requests',
}

export function describeEntry(entry: Entry): Sentence {
  const { action, object, isRefused } = entry
  if (isRefused && DENIED[action] !== undefined) return { verb: `tried to ${DENIED[action]}`, object: '' }
  if (isRefused && !(action in SENTENCES)) return { verb: `tried to do ${action}`, object: '' }
  return SENTENCES[action]?.(entry) ?? { verb: DONE[action] ?? action, object: object.name }
}

const FIELDS: Record<string, string> = {
  name: 'name',
  hint: 'ends in',
  previousEndsAt: 'old secret stops working',
  role: 'role',
  email: 'email',
  expiresAt: 'expires',
  deletesAt: 'will be deleted',
  models: 'models',
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  jobsAtOnce: 'concurrent requests',
  tokensPerMonth: 'tokens per month',
  isPaused: 'paused',
  ownedBy: 'owned by',
  state: 'status',
  separatesPrefixes: 'separate prefix reuse by key',
  sealing: 'sealed requests',
  seal: 'seal',
}

export interface FieldChange {
  name: string
  before: string | undefined
  after: string | undefined
}

/** The fields that changed, without what the sentence already says. */
export function listChanges(entry: Pick<Entry, 'action' | 'before' | 'after' | 'object'>): FieldChange[] {
  const { before, after, object } = entry
  if (['member.join', 'member.sign-in', 'organization.sign'].includes(entry.action)) return []
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .filter((name) => name !== 'device')
    .map((name) => ({ name: FIELDS[name] ?? name, before: show(before?.[name]), after: show(after?.[name]) }))
    .filter((change) => change.before !== change.after)
    .filter((change) => change.before !== undefined || change.after !== object.name)
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function show(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatCount(value)
  if (Array.isArray(value)) return value.map(show).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return DATE_TIME.test(value) ? formatDateTime(value) : value
}
