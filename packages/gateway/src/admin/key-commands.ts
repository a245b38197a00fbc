import type { Command } from 'commander'
import { createKey } from '../access/keys.ts'
import type { Key } from '../store/store.ts'
import { findCreator, findKey } from './find.ts'
import { readCount, readDuration, readName } from './read-words.ts'
import { show, table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface CreateOptions extends CommonOptions {
  creator?: string
  expiresIn?: number
  model?: string[]
  requestsPerMinute?: number
  tokensPerMinute?: number
  jobsAtOnce?: number
}

export function keyCommand(terminal: Terminal): Command {
  return group('key', 'make, list and revoke API keys', [create(terminal), list(terminal), revoke(terminal)])
}

function create(terminal: Terminal): Command {
  const command = leaf('create', 'make a key and show it, this once', [
    'key create laptop',
    'key create nightly-build --creator bo@acme.test --expires-in 90d',
    'key create demo --model qwen3-8b --requests-per-minute 20 --jobs-at-once 2',
  ])
  return ofOrganization(command)
    .argument('<name>', 'what it is for', readName)
    .option('--creator <email>', 'the member it belongs to, and ends with (default: the only owner)')
    .option('--expires-in <duration>', 'how long it works, e.g. 12h or 90d (default: until revoked)', readDuration)
    .option('--model <name...>', 'the only models it may use (default: all)')
    .option('--requests-per-minute <count>', 'more are answered 429', readCount)
    .option('--tokens-per-minute <count>', 'prompt and answer together', readCount)
    .option('--jobs-at-once <count>', 'waiting ones included', readCount)
    .action((name: string, { creator, ...options }: CreateOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const member = await findCreator(store, organization, creator)
        const { key, digest, hint } = createKey()
        const input = { organization: organization.id, createdBy: member.person, name, digest, hint }
        const created = await store.createKey({ ...input, ...readRights(options) })
        return { value: { ...created, key }, text: describeNew(key, created, member.email) }
      }),
    )
}

function readRights({ expiresIn, model, requestsPerMinute, tokensPerMinute, jobsAtOnce }: CreateOptions) {
  return {
    ...(expiresIn !== undefined && { expiresAt: new Date(Date.now() + expiresIn) }),
    ...(model && { models: model }),
    limits: {
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
      ...(jobsAtOnce !== undefined && { jobsAtOnce }),
    },
  }
}

function describeNew(key: string, { name, expiresAt }: Key, creator: string): string {
  const end = expiresAt ? ` and ends on ${show(expiresAt)}` : ''
  return `${key}\n\nThis is the key "${name}". It is shown only now: keep it in a safe place. It belongs to ${creator}${end}.`
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'all keys, without their secret', ['key list'])).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id }) => {
      const value = await store.listKeys(id)
      const text = table(value, {
        NAME: (key) => key.name,
        ENDS: (key) => `…${key.hint}`,
        STATE: stateOf,
        CREATED: (key) => key.createdAt,
        'LAST USED': (key) => key.lastUsedAt,
        ID: (key) => key.id,
      })
      return { value, text }
    }),
  )
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked'
  if (!expiresAt) return 'usable'
  return expiresAt.getTime() <= Date.now() ? 'expired' : `until ${show(expiresAt)}`
}

function revoke(terminal: Terminal): Command {
  const command = leaf('revoke', 'stop a key for good, within a second', ['key revoke laptop', 'key revoke x7Qp'])
  return ofOrganization(command)
    .argument('<key>', 'its name, its last four characters or its id')
    .action((text: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const key = await findKey(store, organization, text)
        await store.revokeKey({ organization: organization.id, key: key.id })
        return { value: { id: key.id, name: key.name }, text: `Key "${key.name}" (…${key.hint}) no longer works` }
      }),
    )
}
