import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkMachine } from './check-machine.ts'
import { readOptions, type Options } from './options.ts'

it('[R20] a start that cannot succeed says why and what to do, before anything is made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-machine-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'file'), '')
  const at = (data: string) => readOptions(['--data', join(folder, data)], {}) as Options
  expect(() => checkMachine(at('file/data'), true)).toThrow(
    `Cannot start Hearth: ${join(folder, 'file')} is a file, not a folder. Move it away, or choose another folder with --data`,
  )
  expect(() => checkMachine(at('new/data'), true)).not.toThrow()
  expect(readdirSync(folder)).toEqual(['file'])
})
