import { cpSync, globSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { anotherMachine } from '../harness/another-machine.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc', '{packages/*,e2e,bench}/package.json']

it("npm ci prints no warning on the machine's own Node", async () => {
  using machine = anotherMachine()
  for (const file of globSync(MANIFESTS, { cwd: ROOT })) {
    mkdirSync(dirname(join(machine.home, file)), { recursive: true })
    cpSync(join(ROOT, file), join(machine.home, file))
  }
  const line = machine.paste('npm ci --dry-run --offline')
  expect(await line.exited).toBe(0)
  expect(line.output()).toMatch(/^added \d+ packages/m)
  expect(line.output()).not.toMatch(/npm (warn|error)/i)
})
