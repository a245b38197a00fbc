// The package.json of a program that the gateway distributes: exact versions, the Node it runs on, and no GPU packages, which the device app
// downloads itself on machines that have a GPU.

import type { Packing } from './packing.ts'

export interface Manifest {
  version: string
  private?: boolean
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const PINNED_NODE = /^node-(bin-)?(linux|darwin|win)-/
/** Our own packages are part of the program. */
const OURS = /^@hearth\//

/** `parts` are the manifests of the program's workspace and of our packages that it needs. */
export function appManifest(
  root: Manifest,
  { program, description }: Packing,
  version: string,
  parts: readonly Manifest[],
) {
  const needed = Object.assign({}, ...parts.map((part) => part.dependencies)) as Record<string, string>
  const dependencies = keep(needed, (name) => !OURS.test(name))
  return {
    name: program.command,
    version,
    description,
    license: root.license ?? 'MIT',
    type: 'module',
    bin: { [program.command]: launcherOf(program.command) },
    dependencies,
    optionalDependencies: keep(root.optionalDependencies ?? {}, (name) => PINNED_NODE.test(name)),
  }
}

/** It brings the packages that it needs. */
export function installerManifest({ program }: Packing, version: string, bundled: Readonly<Record<string, string>>) {
  const command = installerOf(program.command)
  return {
    name: `${program.command}-installer`,
    version,
    description: `Installs the Hearth ${program.title} from a gateway`,
    license: 'MIT',
    type: 'module',
    bin: { [command]: launcherOf(command) },
    dependencies: bundled,
    bundleDependencies: Object.keys(bundled),
  }
}

/** The command of a program's installer. */
export function installerOf(command: string): string {
  return `${command}-install`
}

export function launcherOf(command: string): string {
  return `launcher/${command}.cjs`
}

function keep<Value>(record: Record<string, Value>, isWanted: (name: string) => boolean): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isWanted(name)))
}
