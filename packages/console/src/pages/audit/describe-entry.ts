// Entries of the audit log as sentences. An action this console does not know yet is shown by its name.

import type { Shapes } from '../../api/client.ts'

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

export function describeAction({ action }: Entry): string {
  return DONE[action] ?? action
}

export interface FieldChange {
  name: string
  before: string | undefined
  after: string | undefined
}

/** What is different, field by field. */
export function listChanges({ before, after }: Pick<Entry, 'before' | 'after'>): FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((name) => ({ name, before: show(before?.[name]), after: show(after?.[name]) }))
    .filter((change) => change.before !== change.after)
}

function show(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
