// A module of ours as JavaScript: Node runs no TypeScript inside node_modules, where an installed app may be.

import { stripTypeScriptTypes } from 'node:module'
import { dirname, relative } from 'node:path/posix'

/** Where the modules of the protocol are, in the app that is handed out. */
export const PROTOCOL_FOLDER = 'protocol'

/** `path` is the place of the module in the app; names of other modules are made relative to it. */
export function toJavaScript(source: string, path: string): string {
  return stripTypeScriptTypes(source)
    .replaceAll(/(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g, '$1$2.js$1')
    .replaceAll("'@hearth/protocol'", `'${relativePath(dirname(path), `${PROTOCOL_FOLDER}/index.js`)}'`)
}

export function javaScriptName(path: string): string {
  return path.replace(/\.ts$/, '.js')
}

/** The modules a module names, as they are written. */
export function importedNames(javaScript: string): string[] {
  return [...javaScript.matchAll(/(?:\bfrom |\bimport |\bimport\()['"]([^'"]+)['"]/g)].map(([, name]) => name!)
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}
