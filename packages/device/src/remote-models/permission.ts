// Whether administrators may change this machine's models from the console. Its owner decides.

import type { Permission } from '../news.ts'

export interface RemoteRules {
  /** The owner's setting. `auto` allows it on machines that an administrator set up with a token. */
  setting: 'auto' | 'on' | 'off'
  hasToken: boolean
  /** Whether the machine serves at all right now. */
  serving: Permission
}

export function decideRemoteModels({ setting, hasToken, serving }: RemoteRules): Permission {
  if (setting === 'off')
    return forbid(
      'its owner turned this off. To allow it, the owner removes the setting remote-models there and restarts the app',
    )
  if (setting === 'auto' && !hasToken)
    return forbid(
      'it was added with a code, so its owner decides. To allow it, the owner starts the app with --remote-models on',
    )
  if (!serving.allowed) return forbid(`it is not serving right now: ${serving.why}`)
  return { allowed: true }
}

function forbid(why: string): Permission {
  return { allowed: false, why }
}
