// Every setting of the gateway: one table, read once in main.ts. A wrong value stops the start. `--help` and docs/configuration.md are
// printed from this table.

interface Setting<Value> {
  parse: (text: string, name: string) => Value
  fallback: Value
  help: string
}

const KIB = 1024
const MIB = 1024 * KIB

const SETTINGS = {
  PORT: setting(port, 8080, 'where the gateway listens; 0 picks a free port'),
  HOST: setting(text, '127.0.0.1', 'the address it listens on; 0.0.0.0 for every interface'),
  DATABASE_URL: setting(text, 'pglite:./data', 'pglite:<folder> for the embedded database, or postgres://…'),
  PUBLIC_URL: setting(
    address,
    '',
    'the address people and devices use, e.g. https://hearth.example.com; without it, the one they came by',
  ),
  CLIENT_ADDRESS_HEADER: setting(
    text,
    '',
    "header in which a proxy you trust names the client's address, e.g. x-forwarded-for; without it, the connection's own",
  ),
  SESSION_SECRET: setting(
    text,
    '',
    'signs the cookies of the console, at least 32 characters; without it, one is made and kept in the database',
  ),
  PEOPLE_MAKE_ORGANIZATIONS: setting(flag, false, 'true lets everybody who can sign in make organizations'),
  OIDC_ISSUER: setting(address, '', 'address of an OpenID provider with which people may sign in; needs PUBLIC_URL'),
  OIDC_CLIENT_ID: setting(text, '', 'what the provider knows this gateway by'),
  OIDC_CLIENT_SECRET: setting(text, '', 'what the gateway proves itself with to the provider'),
  OIDC_NAME: setting(text, 'Single sign-on', 'what the sign-in page calls the provider'),
  OIDC_NEW_PEOPLE: setting(
    flag,
    false,
    'true lets everybody in whom the provider knows; otherwise an invitation to their address is needed. Either way they join no organization by it',
  ),
  LOG_LEVEL: setting(
    logLevel,
    'info',
    'fatal, error, warn, info, debug or silent; info writes one line per request, without content',
  ),
  DEVICE_WAIT_MS: setting(duration, 120_000, 'how long a request waits for a device before 503 model_unavailable'),
  FIRST_EVENT_MS: setting(
    duration,
    120_000,
    'how long a device that took a job may stay silent before its first token',
  ),
  EVENT_GAP_MS: setting(duration, 60_000, 'how long a device may stay silent between two tokens'),
  JOB_TOTAL_MS: setting(duration, 1_800_000, 'how long one job may run'),
  HEARTBEAT_MS: setting(duration, 15_000, 'silence of a stream after which an empty delta keeps connections open'),
  CLIENT_STALL_MS: setting(
    duration,
    60_000,
    'how long a client may stop reading its stream before the job is cancelled',
  ),
  MAX_BODY_BYTES: setting(size, 20 * MIB, 'largest request body'),
  MAX_MESSAGES: setting(count, 4_096, 'most messages in one request'),
  MAX_TOOLS: setting(count, 1_024, 'most tools in one request'),
  QUEUE_PER_KEY: setting(count, 200, 'requests of one key that may wait for a device at once'),
  QUEUE_PER_ORGANIZATION: setting(count, 1_000, 'requests of one organization that may wait for a device at once'),
  BODY_TIMEOUT_MS: setting(duration, 60_000, 'how long a client may take to send its request'),
  PING_BUSY_MS: setting(duration, 5_000, 'ping interval of a device that runs jobs; three misses close its link'),
  PING_IDLE_MS: setting(duration, 15_000, 'ping interval of an idle device'),
  ACCESS_POLL_MS: setting(duration, 500, 'how often changes made by other processes are looked for'),
  USAGE_FLUSH_MS: setting(duration, 5_000, 'how often usage counters are written'),
  READY_NEEDS_DEVICE: setting(
    flag,
    false,
    'true makes /readyz wait until a device serves an enabled model: for a gateway with one organization',
  ),
  READY_GRACE_MS: setting(
    delay,
    0,
    'how long to go on as before after SIGTERM while /readyz says no; 5000 behind a load balancer',
  ),
  DRAIN_MS: setting(duration, 120_000, 'how long running requests may finish after SIGTERM'),
} as const

export type Config = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> }

export class ConfigError extends Error {
  override name = 'ConfigError'
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const config = readEach(environment)
  if (config.SESSION_SECRET !== '' && config.SESSION_SECRET.length < 32)
    throw new ConfigError('Cannot read setting SESSION_SECRET: expected at least 32 characters')
  if (config.OIDC_ISSUER !== '' && (config.PUBLIC_URL === '' || config.OIDC_CLIENT_ID === ''))
    throw new ConfigError('Cannot read setting OIDC_ISSUER: it needs PUBLIC_URL and OIDC_CLIENT_ID too')
  return config
}

function readEach(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(SETTINGS).map(([name, { parse, fallback }]) => {
    const text = environment[name]
    return [name, text === undefined || text === '' ? fallback : parse(text, name)]
  })
  return Object.fromEntries(entries) as Config
}

/** Name, default and help of each setting, for `--help` and the documentation. */
export function listSettings(): { name: string; fallback: string; help: string }[] {
  return Object.entries(SETTINGS).map(([name, { fallback, help }]) => ({
    name,
    fallback: fallback === '' ? 'not set' : String(fallback),
    help,
  }))
}

function setting<Value>(parse: Setting<Value>['parse'], fallback: Value, help: string): Setting<Value> {
  return { parse, fallback, help }
}

function text(value: string): string {
  return value
}

/** Without a slash at its end, so that a path can follow. */
function address(value: string, name: string): string {
  const url = URL.parse(value)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return value.replace(/\/+$/, '')
  throw new ConfigError(
    `Cannot read setting ${name}: expected an address like https://hearth.example.com, got "${value}"`,
  )
}

function flag(value: string, name: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  throw new ConfigError(`Cannot read setting ${name}: expected true or false, got "${value}"`)
}

function port(value: string, name: string): number {
  return wholeNumber(value, name, 0, 65_535, 'a port from 0 to 65535')
}

function count(value: string, name: string): number {
  return wholeNumber(value, name, 1, 1_000_000, 'a whole number from 1 to 1000000')
}

function duration(value: string, name: string): number {
  return wholeNumber(value, name, 1, 86_400_000, 'milliseconds from 1 to 86400000')
}

function delay(value: string, name: string): number {
  return wholeNumber(value, name, 0, 600_000, 'milliseconds from 0 to 600000')
}

function size(value: string, name: string): number {
  return wholeNumber(value, name, KIB, 1024 * MIB, 'bytes from 1024 to 1073741824')
}

function logLevel(value: string, name: string): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent']
  if (levels.includes(value)) return value
  throw new ConfigError(`Cannot read setting ${name}: expected one of ${levels.join(', ')}, got "${value}"`)
}

function wholeNumber(value: string, name: string, min: number, max: number, expected: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ConfigError(`Cannot read setting ${name}: expected ${expected}, got "${value}"`)
}
