// Which distribution of Linux this is, and how it installs a package. This file and libraries.js are JavaScript, because they explain why
// the Node that could run TypeScript doesn't start: the machine's own Node, which may be older, reads them.

/**
 * @typedef {'debian' | 'fedora' | 'arch' | 'suse'} Distribution
 */

/** @type {Readonly<Record<Distribution, { ids: readonly string[], install: string, refresh?: string }>>} `ids` are those in os-release. */
const DISTRIBUTIONS = {
  // A new container has no list of packages yet.
  debian: { ids: ['debian', 'ubuntu'], install: 'apt install', refresh: 'apt update' },
  fedora: { ids: ['fedora', 'rhel', 'centos'], install: 'dnf install' },
  arch: { ids: ['arch'], install: 'pacman -S' },
  suse: { ids: ['suse', 'opensuse'], install: 'zypper install' },
}

/**
 * @param {string} release the text of os-release
 * @returns {Distribution | undefined}
 */
export function distributionOf(release) {
  const found = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)]
  const ids = found.flatMap(([, value = '']) => value.split(' '))
  const names = /** @type {Distribution[]} */ (Object.keys(DISTRIBUTIONS))
  return names.find((name) => DISTRIBUTIONS[name].ids.some((id) => ids.includes(id)))
}

/**
 * @param {Distribution} distribution
 * @param {readonly string[]} packages
 * @param {{ isRoot?: boolean, refreshes?: boolean }} [how]
 */
export function installCommand(distribution, packages, { isRoot = false, refreshes = false } = {}) {
  const { install, refresh } = DISTRIBUTIONS[distribution]
  const lines = [...(refreshes && refresh !== undefined ? [refresh] : []), `${install} ${packages.join(' ')}`]
  return lines.map((line) => (isRoot ? line : `sudo ${line}`)).join(' && ')
}
