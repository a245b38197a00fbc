import type { Command } from 'commander'
import { createKey } from '../access/secrets/secrets.ts'
import { readKeyQuota } from '../config.ts'
import type { Key } from '../store/keys/key-rows.ts'
import { findCreator, findKey } from './find.ts'
import { readCount, readDuration, readName } from './read-arguments.ts'
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
  return group('key', 'create, list and revoke API keys', [create(terminal), list(terminal), revoke(terminal)])
}

function create(terminal: Terminal): Command {
  const command = leaf('create', 'create an API key and show it once', [
    'key create laptop',
    'key create nightly-build --creator bo@acme.test --expires-in 90d',
    'key create demo --model qwen3-8b --requests-per-minute 20 --jobs-at-once 2',
  ])
  return ofOrganization(command)
    .argument('<name>', 'name of the key, such as the app that will use it', readName)
    .option('--creator <email>', 'the member it belongs to; it stops working if they leave (default: the only owner)')
    .option('--expires-in <duration>', 'how long it works, such as 12h or 90d (default: until revoked)', readDuration)
    .option('--model <name...>', 'limit it to these models (default: all models)')
    .option('--requests-per-minute <count>', 'limit requests per minute; more get a 429', readCount)
    .option('--tokens-per-minute <count>', 'limit prompt and completion tokens per minute', readCount)
    .option('--jobs-at-once <count>', 'limit running and waiting requests at the same time', readCount)
    .action((name: string, { creator, ...options }: CreateOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const member = await findCreator(store, organization, creator)
        const { key, digest, hint } = createKey()
        const input = { organization: organization.id, createdBy: member.person, name, digest, hint }
        const quota = readKeyQuota(terminal.environment)
        const created = await store.createKey({ ...input, ...readRights(options), quota })
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
  const expiry = expiresAt ? ` and expires on ${show(expiresAt)}` : ''
  return `${key}\n\nThis is the API key "${name}". It belongs to ${creator}${expiry}.\nStore it in a safe place: it will not be shown again.`
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'list all keys, without their secrets', ['key list'])).action(
    (options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id }) => {
        const value = await store.listKeys(id)
        const text = table(value, {
          NAME: (key) => key.name,
          KEY: (key) => `…${key.hint}`,
          STATE: stateOf,
          CREATED: (key) => key.createdAt,
          'LAST USED': (key) => key.lastUsedAt,
          ID: (key) => key.id,
        })
        return { value, text }
      }),
  )
}

function stateOf({ revokedAt, disabledAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked'
  if (disabledAt) return 'disabled'
  if (!expiresAt) return 'active'
  return expiresAt.getTime() <= Date.now() ? 'expired' : `until ${show(expiresAt)}`
}

function revoke(terminal: Terminal): Command {
  const command = leaf('revoke', 'revoke a key permanently', ['key revoke laptop', 'key revoke x7Qp'])
  return ofOrganization(command)
    .argument('<key>', 'name, last four characters or id of the key')
    .action((text: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const key = await findKey(store, organization, text)
        await store.revokeKey({ organization: organization.id, key: key.id })
        return { value: { id: key.id, name: key.name }, text: `Key "${key.name}" (…${key.hint}) no longer works.` }
      }),
    )
}
