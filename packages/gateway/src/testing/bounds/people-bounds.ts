// Bounds of people: signing in, the console API, and what they may create.

import { BY_ADDRESS, PER_TARGET, STRANGERS, STRANGERS_PER_ACCOUNT } from '../../access/limits/guess-limiter.ts'
import { MAX_NAMES } from '../../access/limits/attempt-limiter.ts'
import { CHECK_MS, MEMORY_MB } from '../../chat-template/check-template.ts'
import {
  CHECKS_AT_ONCE,
  MOST_PER_ORGANIZATION,
  MOST_WAITING as MOST_CHECKS,
} from '../../chat-template/template-checks.ts'
import { WITHIN_MS } from '../../access/while-store-answers.ts'
import { MAX_BODY_BYTES } from '../../console-api/app.ts'
import { PER_NETWORK } from '../../console-api/guard/crowd-limit.ts'
import { AT_ONCE, MOST_WAITING } from '../../console-api/guard/person-turns.ts'
import { DOWNLOADS_PER_PERSON } from '../../console-api/organization/export.ts'
import { IN_ALL, PER_ORGANIZATION, PER_PERSON } from '../../console-api/state/open-streams.ts'
import { MAX_PAGE } from '../../console-api/organization/audit.ts'
import { MAX_KEPT as PLAYGROUND_SECRETS } from '../../console-api/state/playground-keys.ts'
import { MAX_KEPT as SPEEDS, MAX_MEASURED } from '../../console-api/state/speeds.ts'
import { MOST_DAYS, MOST_SUMS } from '../../console-api/usage/usage.ts'
import { BOUNDS } from '../../store/database/bounded-pool.ts'
import { MAX_WORKING } from '../../store/keys/playground-keys.ts'
import { MOST_MEMBERS } from '../../store/people/member-rows.ts'
import { bound, bytes, count, setting, time } from './bound.ts'

const MIB = 1024 * 1024

const CALLS = {
  guesses: bound(
    'attempts to sign in, and at codes and links',
    [
      count(BY_ADDRESS.perNetwork, 'a minute per network'),
      count(PER_TARGET, 'per account and network'),
      count(STRANGERS_PER_ACCOUNT, 'per account from new places'),
      count(STRANGERS.perMinute, 'from all networks nobody signed in from'),
    ],
    'processor database',
    '429; the owner can still sign in',
  ),
  'remembered-names': bound(
    'networks, accounts and devices that are counted',
    [count(MAX_NAMES, 'per limit')],
    'memory',
    'the oldest are forgotten',
  ),
  'console-body': bound('the body of a console request', [bytes(MAX_BODY_BYTES)], 'memory processor', '413'),
  crowd: bound(
    'console requests',
    [
      count(PER_NETWORK, 'at once per network'),
      count(AT_ONCE, 'at once per person'),
      count(MOST_WAITING, 'waiting'),
      time(WITHIN_MS),
    ],
    'memory processor database',
    '429; a call that takes longer gets a 503',
  ),
  streams: bound(
    'event streams',
    [count(PER_PERSON, 'per person'), count(PER_ORGANIZATION, 'per organization'), count(IN_ALL, 'in total')],
    'memory processor',
    '429',
  ),
  downloads: bound(
    'downloads of all that is kept',
    [count(DOWNLOADS_PER_PERSON, 'at once per person')],
    'memory processor database',
    '429',
  ),
  queries: bound(
    'queries that wait for the database',
    [count(BOUNDS.maxWaiting, 'in total'), time(BOUNDS.maxWaitMs)],
    'memory database',
    "503; API calls don't need it",
  ),
  pages: bound(
    'a page of keys, requests or the audit log',
    [count(MAX_PAGE, 'entries; 1,000 requests')],
    'memory processor',
    '400',
  ),
  'usage-range': bound(
    'a question about usage',
    [count(MOST_DAYS.hour, 'days by hour'), count(MOST_DAYS.day, 'days by day'), count(MOST_SUMS, 'sums')],
    'memory processor',
    '400; the rest is summed up',
  ),
  speeds: bound(
    'measured speeds',
    [count(SPEEDS, 'in total'), count(MAX_MEASURED, 'per device')],
    'memory',
    'the oldest are forgotten',
  ),
}

const CREATED = {
  keys: bound(
    'API keys',
    [setting('KEYS_PER_MEMBER', 'per member'), setting('KEYS_PER_ORGANIZATION', 'per organization')],
    'memory database',
    '409',
  ),
  'playground-keys': bound(
    'keys of the playground',
    [count(MAX_WORKING, 'per member'), count(PLAYGROUND_SECRETS, 'in memory')],
    'memory database',
    'the oldest ends',
  ),
  'template-check': bound(
    'checks of chat templates',
    [
      time(CHECK_MS),
      bytes(MEMORY_MB * MIB),
      count(CHECKS_AT_ONCE, 'threads in total'),
      count(MOST_PER_ORGANIZATION, 'per organization'),
      count(MOST_CHECKS, 'waiting'),
    ],
    'memory processor',
    'organizations take turns; 400, 429 or 503',
  ),
  invitations: bound(
    'unused invitations',
    [setting('INVITATIONS_PER_ORGANIZATION', 'per organization')],
    'memory database',
    '409',
  ),
  enrolments: bound(
    'unused enrolment tokens',
    [setting('DEVICES_PER_ORGANIZATION', 'per organization')],
    'database',
    '409',
  ),
  'enabled-models': bound(
    'models of an organization',
    [setting('MODELS_PER_ORGANIZATION')],
    'memory processor database',
    '409',
  ),
  organizations: bound(
    'organizations that a person creates',
    [setting('ORGANIZATIONS_PER_PERSON')],
    'memory database',
    '409',
  ),
  members: bound('members of an organization', [count(MOST_MEMBERS, 'per organization')], 'database', '409'),
}

export const PEOPLE_BOUNDS = { ...CALLS, ...CREATED }
