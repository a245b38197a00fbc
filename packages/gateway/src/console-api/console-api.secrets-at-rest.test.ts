// An attacker has a copy of the database and nothing else.

import { rmSync } from 'node:fs'
import { symmetricDecrypt } from 'better-auth/crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealingKey } from '../access/keyring/seal.ts'
import { openConsoleWorld, type ConsoleWorld } from '../testing/console-world.ts'
import { makeDataFolder } from '../testing/data-folder.ts'
import { readEveryText } from '../testing/dump.ts'
import { addFactor } from '../testing/second-factor.ts'

let folder: string
let world: ConsoleWorld
let backupCodes: string[]

beforeAll(async () => {
  folder = await makeDataFolder()
  world = await openConsoleWorld(`embedded:${folder}`)
  const owner = await world.setUp('olga@acme.test', 'Acme')
  backupCodes = (await addFactor(owner, 'olga@acme.test')).backupCodes
  expect(backupCodes).toHaveLength(10)
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Everything that some text of the dump decrypts, used as a key. */
async function decryptAll(texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const places = [
    'gateway_secret/session',
    ...texts.flatMap((id) => [`two_factor/secret/${id}`, `two_factor/backupCodes/${id}`]),
  ]
  const sealed = texts.filter((text) => text.startsWith('sealed:'))
  for (const key of texts) {
    for (const data of texts) found.push(await symmetricDecrypt({ key, data }).catch(() => ''))
    const candidate = sealingKey(key)
    for (const data of sealed) for (const place of places) found.push(candidate.open(place, data) ?? '')
  }
  return found.filter((text) => text !== '')
}

it('keeps second factors from whoever has a copy of the database', async () => {
  const texts = await readEveryText(folder)
  expect(texts.filter((text) => text.startsWith('sealed:'))).toHaveLength(3)
  expect(await decryptAll(texts)).toEqual([])
  for (const code of backupCodes) expect(texts.join('\n')).not.toContain(code)
})
