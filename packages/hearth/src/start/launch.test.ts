import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FOLDERS_HERE } from '@hearth/command-line/machine/folders'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it } from 'vitest'
import { orderModels } from './order-models.ts'
import { checkModel } from './check-model.ts'
import { checkMachine, nameFullDisk } from './check-machine.ts'
import { readOptions } from './options.ts'

const STARTER = 'smollm2-135m-instruct'

it('a start that cannot succeed says why and what to do, before anything is made', () => {
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

it('a start accepts everything that may be a model', () => {
  for (const source of ['starter', 'qwen3:8b', 'hf:owner/name:Q4_K_M', 'https://host/model.gguf', import.meta.filename])
    expect(() => checkModel(source)).not.toThrow()
})

it('a start names the models that someone may have meant', () => {
  expect(() => checkModel('qwen3:8g')).toThrow(/Can't find the model "qwen3:8g".*Did you mean qwen3:8b/)
  expect(() => checkModel('nosuchmodel')).toThrow(/Can't find the model "nosuchmodel".*for example: starter/)
  expect(() => checkModel('./missing.gguf')).toThrow(/there is no such file/)
})

describe('the models of the panel', () => {
  it('are those of this machine, then those of others, and trial models come after their betters', () => {
    expect(orderModels([STARTER, 'qwen3:8b'], ['far', STARTER, 'qwen3:8b'])).toEqual(['qwen3:8b', STARTER, 'far'])
    expect(orderModels(['hearth-tiny', 'qwen3:8b'], ['hearth-tiny', 'qwen3:8b'])).toEqual(['qwen3:8b', 'hearth-tiny'])
  })

  it('are enabled, also if this machine serves none of them', () => {
    expect(orderModels([], ['far'])).toEqual(['far'])
    expect(orderModels(['disabled'], [])).toEqual([])
  })
})
