import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { currentDigest } from './current-digest.ts'
import { registerModel } from './register-model.ts'
import { loadRegistry } from './registry.ts'

function register() {
  const folder = scratchFolder()
  const path = join(folder, 'model.gguf')
  writeFileSync(path, 'weights')
  const registry = join(folder, 'models.json')
  registerModel({ registry, models: folder }, { name: 'm', path, source: path, bytes: 7, sha256: 'f1' })
  return { path, entry: () => loadRegistry(registry)[0]! }
}

it('a model is announced with the digest of its file', () => {
  const { entry } = register()
  expect(currentDigest(entry())).toBe('f1')
  const { modifiedMs: _, ...old } = entry()
  expect(currentDigest(old)).toBe('f1')
})

it('a model whose file was changed is announced without a digest', () => {
  const { path, entry } = register()
  writeFileSync(path, 'others!')
  utimesSync(path, new Date(), new Date(Date.now() + 60_000))
  expect(currentDigest(entry())).toBeUndefined()
})
