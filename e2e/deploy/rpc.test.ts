// The script that builds llama.cpp's programs for several machines, with a small repository and a stand-in for CMake.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { removeFolder } from '../harness/remove-folder.ts'

const SCRIPT = join(import.meta.dirname, '../../deploy/rpc/build.sh')
const BUNDLE = join(import.meta.dirname, '../../node_modules/node-llama-cpp/llama/gitRelease.bundle')

const place = mkdtempSync(join(tmpdir(), 'hearth rpc ü-'))
afterAll(() => removeFolder(place))

function makeBundle(): string {
  const [repository, bundle] = [join(place, 'repository'), join(place, 'sources.bundle')]
  mkdirSync(repository)
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...words], { cwd: repository })
  git('init', '--quiet')
  writeFileSync(join(repository, 'CMakeLists.txt'), '')
  git('add', '.')
  git('commit', '--quiet', '-m', 'sources')
  git('bundle', 'create', '--quiet', bundle, 'HEAD')
  return bundle
}

function makeCmake(): string {
  const bin = join(place, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'cmake'), `#!/bin/sh\nprintf '%s\\n' "$*" >> "$CMAKE_LOG"\n`)
  chmodSync(join(bin, 'cmake'), 0o755)
  return bin
}

describe.skipIf(process.platform === 'win32')('deploy/rpc/build.sh', () => {
  it('takes the sources that come with the engine', () => {
    expect(existsSync(BUNDLE)).toBe(true)
  })

  it('builds the programs that are named, from a clone that the next build uses again', () => {
    const log = join(place, 'cmake.log')
    const path = `${makeCmake()}${delimiter}${process.env['PATH']}`
    const env = {
      ...process.env,
      PATH: path,
      BUNDLE: makeBundle(),
      CMAKE_LOG: log,
      JOBS: '3',
      CMAKE_OPTIONS: '-DA -DB',
    }
    const folder = join(place, 'build here')
    for (const programs of [['ggml-rpc-server'], []]) execFileSync(SCRIPT, [folder, ...programs], { env })
    expect(existsSync(join(folder, 'source/CMakeLists.txt'))).toBe(true)
    const [configured, built, , all] = readFileSync(log, 'utf8').split('\n')
    expect(configured).toMatch(/-DGGML_RPC=ON .* -DA -DB$/)
    expect(built).toMatch(/--target ggml-rpc-server --parallel 3$/)
    expect(all).toMatch(/--target llama-server ggml-rpc-server --parallel 3$/)
  })

  it('says how to call it', () => {
    const { status, stderr } = spawnSync(SCRIPT, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringContaining('usage:')])
  })
})
