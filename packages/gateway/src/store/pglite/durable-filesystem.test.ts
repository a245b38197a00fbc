import fs, { rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, vi } from 'vitest'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { folderLayout } from './folder-layout.ts'
import { openDatabase } from './open-database.ts'

it('[T20] syncs every acknowledged write to disk', async () => {
  const sync = vi.spyOn(fs, 'fdatasyncSync')
  syncBuiltinESMExports()
  const folder = await makeDataFolder()
  const database = await openDatabase(folderLayout(folder))
  try {
    expect((await database.query('show fsync')).rows).toEqual([{ fsync: 'on' }])
    for (let number = 0; number < 5; number++) {
      const before = sync.mock.calls.length
      await database.query('insert into organization (id, name, slug) values ($1, $1, $1)', [`o${number}`])
      expect(sync.mock.calls.length).toBeGreaterThan(before)
    }
  } finally {
    await database.close()
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    rmSync(folder, { recursive: true, force: true })
  }
})
