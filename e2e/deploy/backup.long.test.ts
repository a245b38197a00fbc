// The backup of the embedded database that docs/operate.md describes: stop, copy the folder and, elsewhere, its key; start from the copies.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDataFolder, openStore } from '@hearth/gateway/testing'
import { expect, it, onTestFinished } from 'vitest'
import { Client } from '../harness/client/client.ts'
import { startGateway } from '../harness/processes/gateway-process.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { seedStore } from '../harness/seed.ts'

const QUICK = { DRAIN_MS: '1' }

it('a new gateway can start from a copy of a stopped embedded database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-backup-'))
  onTestFinished(async () => removeFolder(folder))
  await makeDataFolder(join(folder, 'gateway'))
  const before = await startGateway({ ...QUICK, DATABASE_URL: `embedded:${join(folder, 'gateway')}` })
  const store = await openStore(`embedded:${join(folder, 'gateway')}`)
  const { keys, models } = await seedStore(store)
  await store.close()
  expect(await before.stop()).toBe(0)

  execFileSync('tar', ['-czf', 'backup.tgz', '--exclude=gateway/secret-key', 'gateway'], { cwd: folder })
  renameSync(join(folder, 'gateway', 'secret-key'), join(folder, 'key-elsewhere'))
  rmSync(join(folder, 'gateway'), { recursive: true })
  execFileSync('tar', ['-xzf', 'backup.tgz'], { cwd: folder })
  await expect(startGateway({ ...QUICK, DATABASE_URL: `embedded:${join(folder, 'gateway')}` })).rejects.toThrow(
    /Cannot start: secrets in the database are encrypted with the key [0-9a-f]{16}.* Put the key file of this database back/,
  )
  renameSync(join(folder, 'key-elsewhere'), join(folder, 'gateway', 'secret-key'))

  await using after = await startGateway({ ...QUICK, DATABASE_URL: `embedded:${join(folder, 'gateway')}` })
  const { status, json } = await new Client(`${after.origin}/openai/v1`, keys.home).call('/models')
  expect(status).toBe(200)
  expect((json as { data: { id: string }[] }).data.map(({ id }) => id).toSorted()).toStrictEqual(models.toSorted())
  expect((await new Client(`${after.origin}/openai/v1`, keys.revoked).call('/models')).status).toBe(401)
})
