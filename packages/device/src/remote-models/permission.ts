// Whether administrators may change this machine's models and their chat templates from the console. Its owner decides.

import type { Permission } from '../news.ts'

export interface OwnerRules {
  /** The owner's setting. `auto` allows it on machines that an administrator set up with a token. */
  setting: 'auto' | 'on' | 'off'
  hasToken: boolean
}

export interface RemoteRules extends OwnerRules {
  /** Whether the machine serves at all right now. */
  serving: Permission
}

export function decideRemoteModels({ serving, ...rules }: RemoteRules): Permission {
  const decided = decideRemoteChanges(rules)
  if (decided.allowed && !serving.allowed) return forbid(`it is not serving right now: ${serving.why}`)
  return decided
}

/** What the owner decided, whether or not the machine serves right now. It holds for chat templates, which are programs. */
export function decideRemoteChanges({ setting, hasToken }: OwnerRules): Permission {
  if (setting === 'off')
    return forbid(
      'its owner turned this off. To allow it, the owner removes the setting remote-models there and restarts the app',
    )
  if (setting === 'auto' && !hasToken)
    return forbid(
      'it was added with a code, so its owner decides. To allow it, the owner starts the app with --remote-models on',
    )
  return { allowed: true }
}

function forbid(why: string): Permission {
  return { allowed: false, why }
}
