// A module of ours as JavaScript: Node runs no TypeScript inside node_modules, where an installed app may be.

import { stripTypeScriptTypes } from 'node:module'
import { dirname, relative } from 'node:path/posix'

/** Our own packages are imported by this prefix and their name; in the handed-out app each is a folder with that name. */
const OURS = '@hearth/'

/** `path` is the place of the module in the app; names of other modules are made relative to it. */
export function toJavaScript(source: string, path: string): string {
  return stripTypeScriptTypes(source)
    .replaceAll(/(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g, '$1$2.js$1')
    .replaceAll(/'@hearth\/([\w-]+)'/g, (_, name: string) => `'${relativePath(dirname(path), `${name}/index.js`)}'`)
}

/** The names of our packages among the dependencies of another, without their prefix. */
export function ourPackages(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith(OURS))
    .map((name) => name.slice(OURS.length))
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
