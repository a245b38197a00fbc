// Turns one of our modules into JavaScript: Node does not run TypeScript inside node_modules, where a program may be installed.

import { stripTypeScriptTypes } from 'node:module'
import { dirname, relative } from 'node:path/posix'

/** Our own packages are imported with this prefix; in the distributed app, each is a folder with the package's name. */
const OURS = '@hearth/'
/** A package, or one of its modules. */
const OWN_IMPORT = /'@hearth\/([\w-]+)(\/[\w/-]+)?'/g

/** `path` is the module's path in the app; imports are rewritten relative to it. */
export function toJavaScript(source: string, path: string): string {
  return stripTypeScriptTypes(source)
    .replaceAll(/(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g, '$1$2.js$1')
    .replaceAll(
      OWN_IMPORT,
      (_, name: string, file = '/index') => `'${relativePath(dirname(path), `${name}${file}.js`)}'`,
    )
}

/** The names of our own packages among these dependencies, without their prefix. */
export function ourPackages(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith(OURS))
    .map((name) => name.slice(OURS.length))
}

export function javaScriptName(path: string): string {
  return path.replace(/\.ts$/, '.js')
}

/** The modules that a module imports, as written. */
export function importedNames(javaScript: string): string[] {
  return [...javaScript.matchAll(/(?:\bfrom |\bimport |\bimport\()['"]([^'"]+)['"]/g)].flatMap(([, name]) => name ?? [])
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}
