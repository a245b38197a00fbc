// Whether administrators may change this machine's models and their chat templates from the console. Its owner decides.

import type { Permission } from '../news.ts'

/** Never while the machine doesn't serve. */
export function decideRemoteModels(changes: Permission, serving: Permission): Permission {
  if (!changes.allowed || serving.allowed) return changes
  return { allowed: false, why: `it is not serving right now: ${serving.why}` }
}

/**
 * What the owner decided, whether or not the machine serves right now. It holds for chat templates, which are programs. `auto` allows it on
 * machines that an administrator set up with a token.
 */
export function decideRemoteChanges(setting: 'auto' | 'on' | 'off', hasToken: boolean): Permission {
  if (setting === 'on' || (setting === 'auto' && hasToken)) return { allowed: true }
  return {
    allowed: false,
    why:
      setting === 'off'
        ? 'its owner turned this off. To allow it, the owner removes the setting remote-models there and restarts the app'
        : 'it was added with a code, so its owner decides. To allow it, the owner starts the app with --remote-models on',
  }
}
