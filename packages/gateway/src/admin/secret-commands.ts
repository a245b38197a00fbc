// The key that encrypts the secrets in the database.

import type { CommandWorld } from '@hearth/command-line/program/commands'
import { describeOtherKey } from '../access/keyring/other-key.ts'
import { KeyFile } from '../access/keyring/key-file.ts'
import { keySource, readKeys, type KeySource } from '../access/keyring/key-source.ts'
import { rotateFile, rotateSetting, startOver, type Rotated } from '../access/keyring/rotate-key.ts'
import { keyIdOf, sealingKey } from '../access/keyring/seal.ts'
import { readSessionSecret } from '../config.ts'
import type { Store } from '../store/store.ts'
import { findDatabase } from './find-database.ts'
import { InputError } from './input-error.ts'
import { storeCommand, type AdminCommand, type CommandResult, type CommonOptions } from './with-store.ts'

export const SECRET: AdminCommand = {
  name: 'secret',
  summary: 'replace the key that encrypts second factors in the database',
  commands: [
    storeCommand({
      name: 'rotate',
      summary: 'encrypt second factors with a new key. Nobody is signed out',
      examples: ['secret rotate', 'secret rotate --data /var/lib/hearth/gateway'],
      notes: `
The new key replaces the one in the file secret-key of the data folder. Running gateways notice.

With the setting SESSION_SECRET, set NEW_SESSION_SECRET to the new text (at least 32 characters) for this command, then restart every gateway
with it as SESSION_SECRET. Until then, nobody can sign in with a second factor.`,
      async run({ store, world }, options: CommonOptions) {
        const source = sourceOf(world, options)
        const next = readSessionSecret(world.environment, 'NEW_SESSION_SECRET')
        return describeRotated(await rotateIn(store, source, next), source, next !== '')
      },
    }),
    storeCommand({
      name: 'start-over',
      summary: 'use a new key because the old one is lost',
      examples: ['secret start-over'],
      notes: `
Everyone has to sign in again. Second factors are lost, but not turned off: whoever had one needs a new link from "member let-in --reset".
Passwords, passkeys, API keys and devices keep working. Stop all gateways first.`,
      async run({ store, world }, options: CommonOptions) {
        const source = sourceOf(world, options)
        if (source.kind === 'none')
          throw new InputError('Set SESSION_SECRET to a random text of at least 32 characters')
        if (source.kind === 'file' && source.file.read().length === 0) source.file.write([KeyFile.newKey()])
        return startOverWith(store, source)
      },
    }),
  ],
}

function rotateIn(store: Store, source: KeySource, next: string): Promise<Rotated> {
  if (source.kind === 'file') return next === '' ? rotateFile(store, source.file) : rotateSetting(store, source, next)
  if (source.kind === 'none')
    throw new InputError(
      'Set SESSION_SECRET to the value that the gateways have, and NEW_SESSION_SECRET to the new one',
    )
  if (next === '' || next === source.value)
    throw new InputError(
      'SESSION_SECRET is set: set NEW_SESSION_SECRET to another random text of at least 32 characters',
    )
  return rotateSetting(store, source, next)
}

function describeRotated(rotated: Rotated, source: KeySource, isSetting: boolean): CommandResult {
  switch (rotated.kind) {
    case 'rotated': {
      const { id, factors } = rotated
      const next = isSetting
        ? 'Now restart every gateway with the new text as SESSION_SECRET.'
        : 'Running gateways notice. Put the new key file into your backup; a backup of the database from before needs the old one.'
      return {
        value: { key: id, secondFactors: factors },
        text: `Second factors encrypted again: ${factors}. The key is now ${id}.\n${next}`,
      }
    }
    case 'other-key':
      throw new InputError(describeOtherKey(source, rotated.id))
    case 'nothing-sealed':
      throw new InputError('Nothing is encrypted yet: start a gateway first')
    default:
      return rotated satisfies never
  }
}

async function startOverWith(store: Store, source: KeySource): Promise<CommandResult> {
  const keys = readKeys(source)
  const done = await startOver(store, keys, keys[0] ?? sealingKey(KeyFile.newKey()))
  if (done.kind === 'key-works')
    throw new InputError('The key is not lost: it opens the secrets in the database. To replace it, use: secret rotate')
  const people = await store.peopleWithSecondFactor()
  const lost = people.filter(({ secret }) => keyIdOf(secret) !== done.id).map(({ email }) => email)
  const rest =
    lost.length === 0
      ? 'Nobody had a second factor.'
      : `Second factors lost:\n${lost.map((email) => `  ${email}`).join('\n')}\nGive each of them a link: member let-in <email> --reset`
  return {
    value: { key: done.id, lostSecondFactors: lost },
    text: `The key is now ${done.id}. Start the gateways.\n${rest}`,
  }
}

function sourceOf(world: CommandWorld, options: CommonOptions): KeySource {
  return keySource(findDatabase(world, { ...options, isChange: true }).url, readSessionSecret(world.environment))
}
