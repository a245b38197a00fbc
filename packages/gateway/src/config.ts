// Every setting of the gateway in one table, read once in main.ts. An invalid value stops the gateway from starting. `--help` and
// docs/configuration.md are generated from this table.

import { join } from 'node:path'
import { USUAL_LIMITS } from '@hearth/chat'

interface Setting<Value> {
  parse: (text: string, name: string) => Value
  fallback: Value
  help: string
}

const KIB = 1024
const MIB = 1024 * KIB
const port = wholeNumber(0, 65_535, 'a port from 0 to 65535')
const count = wholeNumber(1, 1_000_000, 'a whole number from 1 to 1000000')
const duration = wholeNumber(1, 86_400_000, 'milliseconds from 1 to 86400000')
const grace = wholeNumber(5, 86_400, 'seconds from 5 to 86400')
const descriptors = wholeNumber(0, 4_096, 'a whole number from 0 to 4096')
const delay = wholeNumber(0, 600_000, 'milliseconds from 0 to 600000')
const size = wholeNumber(KIB, 1024 * MIB, 'bytes from 1024 to 1073741824')
const megabytes = wholeNumber(16, 1024 * 1024, 'a whole number from 16 to 1048576')

const text = kind((value) => value)
const address = kind(readAddress)
const timeOfDay = kind(readTimeOfDay)
const flag = kind(readFlag)
const ratio = kind(readRatio)

const SAMPLERS = ['always_on', 'always_off', 'traceidratio']
const sampler = oneOf(...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}`))
const level = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent')

const SETTINGS = {
  PORT: port(8080, 'port to listen on; 0 picks a free one'),
  HOST: text('127.0.0.1', 'address to listen on; 127.0.0.1 includes ::1, and 0.0.0.0 is every interface'),
  LISTEN_FDS: descriptors(
    0,
    'listening sockets that the gateway was started with, from descriptor 3 on, as systemd and npm start pass them; 0 opens PORT',
  ),
  DATABASE_URL: text(
    'embedded:./data',
    'where data is stored: embedded:<folder> for the embedded database, or postgres://…',
  ),
  NATS_URL: text(
    '',
    'NATS server that connects this gateway with others of the same database, e.g. nats://user:password@host:4222, or tls://…; requires DATABASE_URL. If not set, the gateway runs alone',
  ),
  PUBLIC_URL: address(
    '',
    'URL that people and devices use, e.g. https://hearth.example.com; if not set, the URL of each request',
  ),
  CLIENT_ADDRESS_HEADER: text(
    '',
    "header in which your reverse proxy passes the client's address, e.g. x-forwarded-for; if not set, the address of the connection",
  ),
  SESSION_SECRET: text(
    '',
    'encrypts second factors in the database, and the secret that signs session cookies; at least 32 random characters, the same for every gateway. If not set, the file secret-key in the folder of the embedded database; with PostgreSQL, nobody can set up a second factor without it',
  ),
  PEOPLE_MAKE_ORGANIZATIONS: flag(false, 'true lets everyone who can sign in create organizations'),
  OIDC_ISSUER: address('', 'URL of an OpenID Connect provider that people can sign in with; requires PUBLIC_URL'),
  OIDC_CLIENT_ID: text('', 'client ID that the provider issued for this gateway'),
  OIDC_CLIENT_SECRET: text('', 'client secret that the provider issued for this gateway'),
  OIDC_NAME: text('Single sign-on', 'name of the provider on the sign-in page'),
  OIDC_NEW_PEOPLE: flag(
    false,
    'true lets everyone with an account at the provider sign in; otherwise they need an invitation to their email address. Signing in does not make them a member of an organization',
  ),
  LOG_LEVEL: level(
    'info',
    'fatal, error, warn, info, debug or silent; info writes one line per request, without content',
  ),
  DEVICE_WAIT_MS: duration(120_000, 'how long a request waits for a device before it gets a 503 model_unavailable'),
  FIRST_EVENT_MS: duration(120_000, 'how long a device that accepted a job may take to produce its first token'),
  EVENT_GAP_MS: duration(60_000, 'how long a device may pause between two tokens'),
  DEVICE_RETURN_MS: duration(15_000, 'how long a stream whose device was lost waits for one that can continue it'),
  JOB_TOTAL_MS: duration(1_800_000, 'how long one job may run'),
  HEARTBEAT_MS: duration(
    USUAL_LIMITS.heartbeatMs,
    'after this long without a token, a stream sends an empty delta to keep the connection open',
  ),
  CLIENT_STALL_MS: duration(
    USUAL_LIMITS.stallMs,
    'how long a client may stop reading a reply before it is disconnected and its job is canceled',
  ),
  MEMORY_BUDGET_MB: megabytes(
    '',
    'memory for requests and replies in progress, in MiB; when it is used up, new requests get a 429 or 503. If not set, half of the heap. Three eighths of it, on top, are for what devices say about themselves',
  ),
  MAX_BODY_BYTES: size(USUAL_LIMITS.maxBodyBytes, 'maximum size of a request body'),
  MAX_MESSAGES: count(USUAL_LIMITS.maxMessages, 'maximum number of messages in a request'),
  MAX_TOOLS: count(USUAL_LIMITS.maxTools, 'maximum number of tools in a request'),
  QUEUE_PER_KEY: count(200, 'how many requests of one key may wait for a device at the same time'),
  QUEUE_PER_ORGANIZATION: count(1_000, 'how many requests of one organization may wait for a device at the same time'),
  KEYS_PER_MEMBER: count(100, 'how many working API keys one member of an organization may have'),
  KEYS_PER_ORGANIZATION: count(1_000, 'how many working API keys one organization may have'),
  DEVICES_PER_ORGANIZATION: count(
    1_000,
    'how many devices one organization may have; existing devices beyond it keep working',
  ),
  INVITATIONS_PER_ORGANIZATION: count(500, 'how many unused invitations one organization may have'),
  MODELS_PER_ORGANIZATION: count(1_000, 'how many models one organization may have in its list'),
  ORGANIZATIONS_PER_PERSON: count(10, 'how many organizations one person may own; who owns as many creates no more'),
  BODY_TIMEOUT_MS: duration(60_000, 'how long a client may take to send its request'),
  PING_BUSY_MS: duration(
    5_000,
    'how often a device that is running jobs is pinged; after three missed pings it is disconnected',
  ),
  PING_IDLE_MS: duration(15_000, 'how often an idle device is pinged'),
  ACCESS_POLL_MS: duration(500, 'how often the gateway looks for news to show on open console pages'),
  STORE_GRACE_S: grace(
    120,
    'how long known keys, models and devices keep working while the database does not answer; a revoked key may keep working for this long on a gateway that is cut off from its database',
  ),
  USAGE_FLUSH_MS: duration(5_000, 'how often usage is written to the database'),
  USAGE_JOURNAL: text(
    '',
    "folder for usage that is not in the database yet, so that a crash loses none; on a local disk. If not set, usage-journal in the embedded database's folder, or ./data/usage-journal with PostgreSQL",
  ),
  USAGE_HOURLY_MONTHS: months(1)(
    13,
    'for how many months usage is kept by the hour. Older usage is kept by the day (UTC), with the same sums',
  ),
  AUDIT_MONTHS: months(6)(24, 'after how many months entries of the audit log are deleted; 6 at least'),
  BACKUP_AT: timeOfDay(
    '',
    'when the gateway backs up its database every day, as hours and minutes in UTC, e.g. 03:30. If not set, it makes no backups',
  ),
  BACKUP_KEEP: count(7, 'how many of these backups are kept'),
  BACKUP_FOLDER: text(
    '',
    "folder for these backups, best on another disk. If not set, backups in the embedded database's folder, or ./data/backups with PostgreSQL",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(
    '',
    'where OpenTelemetry spans of requests are sent over OTLP/HTTP, e.g. http://127.0.0.1:4318; if neither this nor the next is set, none are made. OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION, _CERTIFICATE and OTEL_RESOURCE_ATTRIBUTES work too',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address('', 'the same as a whole URL, to which no /v1/traces is added'),
  OTEL_SERVICE_NAME: text('hearth-gateway', 'name of this gateway in spans'),
  OTEL_TRACES_SAMPLER: sampler(
    'parentbased_always_on',
    'which requests get spans: always_on, always_off or traceidratio; with parentbased_ before it, the client decides, if it says',
  ),
  OTEL_TRACES_SAMPLER_ARG: ratio(1, 'share of requests with spans, from 0 to 1, for traceidratio'),
  METRICS_TOKEN: text(
    '',
    'token that /metrics requires as "Authorization: Bearer …"; if not set, everyone who can reach the gateway can read /metrics',
  ),
  READY_NEEDS_DEVICE: flag(
    false,
    'true keeps /readyz at 503 until a device serves an enabled model; for gateways with a single organization',
  ),
  READY_GRACE_MS: delay(
    0,
    'how long to keep accepting requests after SIGTERM while /readyz already returns 503; use 5000 behind a load balancer',
  ),
  DRAIN_MS: duration(120_000, 'how long running requests have to finish after SIGTERM'),
} as const

export type Config = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> }

export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(environment: Environment): Config {
  const config = readEach(environment)
  readSessionSecret(environment)
  if (config.OIDC_ISSUER !== '' && (config.PUBLIC_URL === '' || config.OIDC_CLIENT_ID === ''))
    throw new ConfigError('Cannot read setting OIDC_ISSUER: set PUBLIC_URL and OIDC_CLIENT_ID too')
  // Otherwise a gateway whose DATABASE_URL was forgotten would join the others with an empty database of its own.
  if (config.NATS_URL !== '' && !environment['DATABASE_URL'])
    throw new ConfigError(
      'Cannot read setting NATS_URL: several gateways need one database. Set DATABASE_URL to postgres://…, or on a single machine to embedded:<folder>, or remove NATS_URL to run alone',
    )
  return config
}

/** Empty if it is not set. Used by the command line too, which replaces the key. */
export function readSessionSecret(environment: Environment, name = 'SESSION_SECRET'): string {
  const secret = environment[name] ?? ''
  if (secret === '' || secret.length >= 32) return secret
  throw new ConfigError(`Cannot read setting ${name}: expected at least 32 characters`)
}

/** The folder that a setting names, or this one beside the embedded database. */
export function folderFor(chosen: string, { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>, name: string): string {
  const [, embedded = './data'] = /^embedded:(?:\/\/)?(.+)$/s.exec(DATABASE_URL) ?? []
  return chosen === '' ? join(embedded, name) : chosen
}

/** Used by the command line too, which creates keys without a gateway. */
export function readKeyQuota(environment: Environment): { perMember: number; perOrganization: number } {
  return {
    perMember: readOne(environment, 'KEYS_PER_MEMBER', SETTINGS.KEYS_PER_MEMBER),
    perOrganization: readOne(environment, 'KEYS_PER_ORGANIZATION', SETTINGS.KEYS_PER_ORGANIZATION),
  }
}

/** Used by the command line too. */
export function readOrganizationQuota(environment: Environment): { invitations: number; models: number } {
  return {
    invitations: readOne(environment, 'INVITATIONS_PER_ORGANIZATION', SETTINGS.INVITATIONS_PER_ORGANIZATION),
    models: readOne(environment, 'MODELS_PER_ORGANIZATION', SETTINGS.MODELS_PER_ORGANIZATION),
  }
}

/** Used by the command line too, which creates enrolment tokens without a gateway. */
export function readMostDevices(environment: Environment): number {
  return readOne(environment, 'DEVICES_PER_ORGANIZATION', SETTINGS.DEVICES_PER_ORGANIZATION)
}

function readEach(environment: Environment): Config {
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => [
    name,
    readOne(environment, name, setting),
  ])
  return Object.fromEntries(entries) as Config
}

function readOne<Value>(environment: Environment, name: string, { parse, fallback }: Setting<Value>): Value {
  const text = environment[name]
  return text === undefined || text === '' ? fallback : parse(text, name)
}

/** Name, default and help of every setting, for `--help` and docs/configuration.md. */
export function listSettings(): { name: string; fallback: string; help: string }[] {
  return Object.entries(SETTINGS).map(([name, { fallback, help }]) => ({
    name,
    fallback: fallback === '' ? 'not set' : String(fallback),
    help,
  }))
}

/** Without a value, a setting of this kind has the fallback, which may be empty. */
function kind<Value>(parse: Setting<Value>['parse']) {
  return <Fallback extends Value | ''>(fallback: Fallback, help: string): Setting<Value | Fallback> => ({
    parse,
    fallback,
    help,
  })
}

/** Returned without a trailing slash, so that a path can follow. */
function readAddress(value: string, name: string): string {
  const url = URL.parse(value)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return value.replace(/\/+$/, '')
  throw new ConfigError(`Cannot read setting ${name}: expected a URL like https://hearth.example.com, got "${value}"`)
}

/** Minutes after midnight. */
function readTimeOfDay(value: string, name: string): number {
  const [, hours = '', minutes = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? []
  if (hours !== '') return Number(hours) * 60 + Number(minutes)
  throw new ConfigError(`Cannot read setting ${name}: expected a time in UTC like 03:30, got "${value}"`)
}

function readFlag(value: string, name: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  throw new ConfigError(`Cannot read setting ${name}: expected true or false, got "${value}"`)
}

function months(least: number) {
  return wholeNumber(least, 1_200, `months from ${least} to 1200`)
}

function oneOf(...words: readonly string[]) {
  return kind((value, name) => {
    if (words.includes(value)) return value
    throw new ConfigError(`Cannot read setting ${name}: expected one of ${words.join(', ')}, got "${value}"`)
  })
}

function readRatio(value: string, name: string): number {
  if (/^(0|1|0?\.\d+|[01]\.0*)$/.test(value)) return Number(value)
  throw new ConfigError(`Cannot read setting ${name}: expected a number from 0 to 1, got "${value}"`)
}

function wholeNumber(min: number, max: number, expected: string) {
  return kind((value, name) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new ConfigError(`Cannot read setting ${name}: expected ${expected}, got "${value}"`)
  })
}
