import { createKey } from '../access/secrets/secrets.ts'
import { readKeyQuota } from '../config.ts'
import type { Key } from '../store/keys/key-rows.ts'
import { findCreator, findKey } from './find.ts'
import { listCommand } from './verbs/list-command.ts'
import { readCount, readDuration, readName } from './read-arguments.ts'
import { formatCell } from './terminal.ts'
import { organizationCommand, type AdminCommand } from './with-store.ts'

interface CreateOptions {
  creator?: string
  expiresIn?: number
  model?: string[]
  requestsPerMinute?: number
  tokensPerMinute?: number
  jobsAtOnce?: number
  tokensPerMonth?: number
}

export const KEY: AdminCommand = {
  name: 'key',
  summary: 'create, list and revoke API keys',
  commands: [
    organizationCommand({
      name: 'create',
      summary: 'create an API key and show it once',
      examples: [
        'key create laptop',
        'key create nightly-build --creator bo@acme.test --expires-in 90d',
        'key create demo --model qwen3-8b --requests-per-minute 20 --jobs-at-once 2',
      ],
      arguments: [['<name>', 'name of the key, such as the app that will use it', readName]],
      options: [
        ['--creator <email>', 'the member it belongs to; it stops working if they leave (default: the only owner)'],
        ['--expires-in <duration>', 'how long it works, such as 12h or 90d (default: until revoked)', readDuration],
        ['--model <name...>', 'limit it to these models (default: all models)'],
        ['--requests-per-minute <count>', 'limit requests per minute; more get a 429', readCount],
        ['--tokens-per-minute <count>', 'limit prompt and completion tokens per minute', readCount],
        ['--jobs-at-once <count>', 'limit running and waiting requests at the same time', readCount],
        ['--tokens-per-month <count>', 'budget of prompt and completion tokens per month', readCount],
      ],
      async run({ store, organization, world }, options: CreateOptions, name: string) {
        const member = await findCreator(store, organization, options.creator)
        const { key, digest, hint } = createKey()
        const input = { organization: organization.id, createdBy: member.person, name, digest, hint }
        const quota = readKeyQuota(world.environment)
        const created = await store.createKey({ ...input, ...readRights(options), quota })
        return { value: { ...created, key }, text: describeNew(key, created, member.email) }
      },
    }),
    listCommand(
      'key list',
      'list all keys, without their secrets',
      ({ store, organization }) => store.listKeys(organization.id),
      {
        NAME: 'name',
        KEY: (key) => `…${key.hint}`,
        STATE: stateOf,
        CREATED: 'createdAt',
        'LAST USED': 'lastUsedAt',
        ID: 'id',
      },
    ),
    organizationCommand({
      name: 'revoke',
      summary: 'revoke a key permanently',
      examples: ['key revoke laptop', 'key revoke x7Qp'],
      arguments: [['<key>', 'name, last four characters or id of the key']],
      async run({ store, organization }, _: object, text: string) {
        const { id, name, hint } = await findKey(store, organization, text)
        await store.revokeKey({ organization: organization.id, key: id })
        return { value: { id, name }, text: `Key "${name}" (…${hint}) no longer works.` }
      },
    }),
  ],
}

function readRights({ expiresIn, model: models, ...options }: CreateOptions) {
  const expiresAt = expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn)
  const { requestsPerMinute, tokensPerMinute, jobsAtOnce, tokensPerMonth } = options
  return { expiresAt, models, limits: { requestsPerMinute, tokensPerMinute, jobsAtOnce, tokensPerMonth } }
}

function describeNew(key: string, { name, expiresAt }: Key, creator: string): string {
  const expiry = expiresAt ? ` and expires on ${formatCell(expiresAt)}` : ''
  return `${key}\n\nThis is the API key "${name}". It belongs to ${creator}${expiry}.\nStore it in a safe place: it will not be shown again.`
}

function stateOf({ revokedAt, disabledAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked'
  if (disabledAt) return 'disabled'
  if (!expiresAt) return 'active'
  return expiresAt.getTime() <= Date.now() ? 'expired' : `until ${formatCell(expiresAt)}`
}
