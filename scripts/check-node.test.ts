import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

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

it.each(['start', 'test'])('[R20] npm %s says why when the Node of Hearth does not start, and stops', (name) => {
  const { status, stdout, stderr } = runWithNode('#!/bin/sh\nexit 127\n', scripts[name])
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^\nCannot start Hearth: .*\. [A-Z].*\n\n$/)
})

it.each(['start', 'test'])('npm %s goes on when the Node of Hearth runs', (name) => {
  const { status, stdout, stderr } = runWithNode(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`, scripts[name])
  expect([status, stdout, stderr]).toEqual([0, 'started\n', ''])
})
