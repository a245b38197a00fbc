// For each file that it loads, Node looks into the package.json of the package around it, and parses it anew. That of drizzle-orm has 180 KB
// and a hundred of its files are loaded, which takes longer than all other modules of the gateway together.

import { registerHooks } from 'node:module'

/** All files that its modules import by a relative path are modules like them. */
const LARGE = '/node_modules/drizzle-orm/'

/** To be called before the package is imported. Says for its files what Node would find in its package.json. */
export function openQuickImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context
      if (!specifier.startsWith('.') || !parentURL?.includes(LARGE) || context.conditions.includes('require'))
        return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    },
  })
}
