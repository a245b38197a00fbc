// Entries of the audit log as sentences. An action this console does not know yet is shown by its name.

import type { Shapes } from '../../api/client.ts'
import { formatMoment } from '../../lib/format.ts'

type Entry = Shapes['AuditEntry']

const DONE: Record<string, string> = {
  'device.approve': 'approved device',
  'device.change': 'changed device',
  'device.deny': 'turned away device',
  'device.enrol': 'added device',
  'device.remove': 'removed device',
  'enrolment.create': 'made a command for a device',
  'enrolment.revoke': 'revoked a command for a device',
  'invitation.create': 'invited',
  'invitation.revoke': 'revoked the invitation of',
  'key.create': 'created key',
  'key.revoke': 'revoked key',
  'member.add': 'added',
  'member.change': 'changed the role of',
  'member.join': 'joined as',
  'member.leave': 'left as',
  'member.remove': 'removed',
  'member.rename': 'was renamed to',
  'member.reset': 'reset the sign-in of',
  'member.set-up': 'set up the gateway as',
  'model.change': 'changed model',
  'model.disable': 'disabled model',
  'model.enable': 'enabled model',
  'model.remove': 'removed model',
  'organization.create': 'created organization',
  'organization.rename': 'renamed the organization to',
}

/** A device that joins is both who acts and what is acted on: it is named once. */
const OF_DEVICE: Record<string, string> = { 'device.enrol': 'joined as a device' }

export interface Sentence {
  verb: string
  /** Empty where the verb says everything. */
  object: string
}

// Refusals carry the name of the rule that was not met.
const REFUSED: Record<string, string> = {
  'audit.read': 'reading the audit log',
  'device.approve': 'approving a device, with a wrong code',
  'devices.change': 'changing a device',
  'devices.enrol': 'adding a device',
  'members.change': 'changing a role',
  'members.invite': 'inviting somebody',
  'members.leave': 'leaving as the last owner',
  'members.remove': 'removing somebody',
  'models.change': 'changing models',
  'organization.change': 'renaming the organization',
}

export function describeEntry({ action, actor, object, isRefused }: Entry): Sentence {
  if (isRefused) return { verb: `was refused: ${REFUSED[action] ?? action}`, object: '' }
  const own = actor.kind === 'device' ? OF_DEVICE[action] : undefined
  return own === undefined ? { verb: DONE[action] ?? action, object: object.name } : { verb: own, object: '' }
}

const FIELDS: Record<string, string> = {
  name: 'name',
  hint: 'ends in',
  role: 'role',
  email: 'for',
  expiresAt: 'expires',
  models: 'models',
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  jobsAtOnce: 'requests at once',
  isPaused: 'paused',
  ownedBy: 'owned by',
  state: 'state',
}

export interface FieldChange {
  name: string
  before: string | undefined
  after: string | undefined
}

/** What is different, field by field; the name of the object itself stands in the sentence. */
export function listChanges({ before, after, object }: Pick<Entry, 'before' | 'after' | 'object'>): FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((name) => ({ name: FIELDS[name] ?? name, before: show(before?.[name]), after: show(after?.[name]) }))
    .filter((change) => change.before !== change.after)
    .filter((change) => change.before !== undefined || change.after !== object.name)
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function show(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(show).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return MOMENT.test(value) ? formatMoment(value) : value
}
