// What the owner's settings and login say about changes from the console.

import type { OwnerRules } from '../remote-models/permission.ts'
import type { Settings } from '../settings/settings.ts'
import type { Credential } from '../state/credential.ts'

export function ownerRules(
  { remoteModels: setting }: Pick<Settings, 'remoteModels'>,
  { joinedBy }: Pick<Credential, 'joinedBy'>,
): OwnerRules {
  return { setting, hasToken: joinedBy === 'token' }
}
