import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FOLDERS_HERE } from '@hearth/command-line/machine/folders'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it } from 'vitest'
import { checkMachine, nameFullDisk } from './launch.ts'
import { readOptions } from './options.ts'

it('[R20] a start that cannot succeed says why and what to do, before anything is made', () => {
  const folder = scratchFolder()
  writeFileSync(join(folder, 'file'), '')
  const at = (data: string) => readOptions({ data: join(folder, data) }, {})
  expect(() => checkMachine(at('file/data'), true)).toThrow(
    `Cannot start Hearth: ${join(folder, 'file')} is a file, not a folder. Move it away, or choose another folder with --data`,
  )
  expect(() => checkMachine(at('new/data'), true)).not.toThrow()
  expect(readdirSync(folder)).toEqual(['file'])
})

it('a start that fails because the disk filled up meanwhile says so, too', () => {
  const failure = new Error('The gateway rejected the login')
  const withFree = (freeBytes: number) => ({
    ...FOLDERS_HERE,
    look: (path: string) => ({ ...FOLDERS_HERE.look(path), freeBytes }),
  })
  const options = { data: tmpdir() }
  expect(nameFullDisk(failure, options, withFree(20e6))).toBe(failure)
  expect(nameFullDisk(failure, options, withFree(4_100))).toEqual(
    new Error(
      `The gateway rejected the login\n\nThe disk of ${tmpdir()} is too full: 16.0 MB needed, 4.1 KB free. Free up space, or choose another folder with --data`,
    ),
  )
})
