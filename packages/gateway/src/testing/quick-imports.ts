// Preloaded by the gateways that tests start. For every file of drizzle-orm that another of its files imports, Node parses the package's list
// of exports again: 170 KB of JSON, a hundred times, which is a third of the CPU time of a start. Files of one package don't need that list.

import { registerHooks } from 'node:module'

const isInside = (url: string | undefined): url is string => url?.includes('/node_modules/drizzle-orm/') ?? false

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!/^\..*\.js$/.test(specifier) || !isInside(parentURL)) return next(specifier, context)
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
  },
})
