// The version of a build. Between two releases, each change that somebody notices is an entry of CHANGELOG.md, and counts as one patch. So
// versions grow from build to build, and the same sources have the same version wherever they are, without git.

import { readFileSync } from 'node:fs'

interface Manifest {
  version: string
  /** Set in a checkout. What a gateway hands out has its version already. */
  private?: boolean
}

const CHECKOUT = new URL('../../../', import.meta.url)

export function versionOf({ version, private: isInCheckout = false }: Manifest, checkout: URL = CHECKOUT): string {
  return isInCheckout ? withChanges(version, readFileSync(new URL('CHANGELOG.md', checkout), 'utf8')) : version
}

export function withChanges(version: string, changelog: string): string {
  const unreleased = /^## \[Unreleased\]$([\s\S]*?)(^## |$(?![\s\S]))/m.exec(changelog)?.[1] ?? ''
  const changes = unreleased.match(/^- /gm)?.length ?? 0
  return version.replace(/\d+$/, (patch) => String(Number(patch) + changes))
}
