// The key that encrypts the secrets in the database.

import type { Command } from 'commander'
import { describeOtherKey } from '../access/keyring/other-key.ts'
import { KeyFile } from '../access/keyring/key-file.ts'
import { keySource, readKeys, type KeySource } from '../access/keyring/key-source.ts'
import { rotateFile, rotateSetting, startOver, type Rotated } from '../access/keyring/rotate-key.ts'
import { keyIdOf, sealingKey } from '../access/keyring/seal.ts'
import { readSessionSecret } from '../config.ts'
import type { Store } from '../store/store.ts'
import { findDatabase } from './find-database.ts'
import { InputError } from './input-error.ts'
import type { Answer, Terminal } from './terminal.ts'
import { group, leaf, withStore, type CommonOptions } from './with-store.ts'

export function secretCommand(terminal: Terminal): Command {
  const commands = [rotate(terminal), replaceLostKey(terminal)]
  return group('secret', 'replace the key that encrypts second factors in the database', commands)
}

function rotate(terminal: Terminal): Command {
  return leaf('rotate', 'encrypt second factors with a new key. Nobody is signed out', [
    'secret rotate',
    'secret rotate --data /var/lib/hearth/gateway',
  ])
    .addHelpText(
      'after',
      `
The new key replaces the one in the file secret-key of the data folder. Running gateways notice.

With the setting SESSION_SECRET, set NEW_SESSION_SECRET to the new text (at least 32 characters) for this command, then restart every gateway
with it as SESSION_SECRET. Until then, nobody can sign in with a second factor.`,
    )
    .action((options: CommonOptions) =>
      withStore(terminal, options, async (store) => {
        const source = sourceOf(terminal, options)
        const next = readSessionSecret(terminal.environment, 'NEW_SESSION_SECRET')
        return describeRotated(await rotateIn(store, source, next), source, next !== '')
      }),
    )
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

function describeRotated(rotated: Rotated, source: KeySource, isSetting: boolean): Answer {
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

function replaceLostKey(terminal: Terminal): Command {
  return leaf('start-over', 'use a new key because the old one is lost', ['secret start-over'])
    .addHelpText(
      'after',
      `
Everyone has to sign in again. Second factors are lost, but not turned off: whoever had one needs a new link from "member let-in --reset".
Passwords, passkeys, API keys and devices keep working. Stop all gateways first.`,
    )
    .action((options: CommonOptions) =>
      withStore(terminal, options, async (store) => {
        const source = sourceOf(terminal, options)
        if (source.kind === 'none')
          throw new InputError('Set SESSION_SECRET to a random text of at least 32 characters')
        if (source.kind === 'file' && source.file.read().length === 0) source.file.write([KeyFile.newKey()])
        return await startOverWith(store, source)
      }),
    )
}

async function startOverWith(store: Store, source: KeySource): Promise<Answer> {
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

function sourceOf(terminal: Terminal, options: CommonOptions): KeySource {
  return keySource(findDatabase(terminal, options).url, readSessionSecret(terminal.environment))
}
