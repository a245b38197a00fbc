// Bounds of people: signing in, the console API, and what they may create.

import {
  PASSWORDS_AT_ONCE as HASHES_AT_ONCE,
  MOST_PASSWORDS_WAITING as MOST_HASHES,
} from '../../access/accounts/passwords.ts'
import { BY_ADDRESS, PER_TARGET, STRANGERS, STRANGERS_PER_ACCOUNT } from '../../access/limits/guess-limiter.ts'
import { MAX_NAMES } from '../../access/limits/attempt-limiter.ts'
import { CHECK_MS, MEMORY_MB } from '../../chat-template/check-template.ts'
import {
  CHECKS_AT_ONCE,
  MOST_PER_ORGANIZATION,
  MOST_CHECKS_WAITING as MOST_CHECKS,
} from '../../chat-template/template-checks.ts'
import { WITHIN_MS } from '../../access/while-store-answers.ts'
import { MAX_CONSOLE_BODY_BYTES } from '../../console-api/app.ts'
import { PER_NETWORK } from '../../console-api/guard/crowd-limit.ts'
import { AT_ONCE_PER_PERSON, MOST_WAITING_PER_PERSON } from '../../console-api/guard/person-turns.ts'
import { DOWNLOADS_PER_PERSON } from '../../console-api/organization/export.ts'
import { IN_ALL, PER_ORGANIZATION, PER_PERSON } from '../../console-api/state/open-streams.ts'
import { MAX_PAGE } from '../../console-api/organization/audit.ts'
import { MAX_PLAYGROUND_KEYS as PLAYGROUND_SECRETS } from '../../console-api/state/playground-keys.ts'
import { MAX_SPEEDS as SPEEDS, MAX_MEASURED } from '../../console-api/state/speeds.ts'
import { MOST_DAYS, MOST_SUMS } from '../../console-api/usage/usage.ts'
import { BOUNDS } from '../../store/database/bounded-pool.ts'
import { MAX_WORKING } from '../../store/keys/playground-keys.ts'
import { MOST_KEPT } from '../../store/people/activity.ts'
import { MOST_MEMBERS } from '../../store/people/member-rows.ts'
import { attack, bytes, count, setting, test, time, type Bound } from './bound.ts'

const QUOTAS = 'console-api/console-api.quotas.test.ts'
const MIB = 1024 * 1024

export const PEOPLE_BOUNDS = {
  guesses: {
    what: 'attempts to sign in, and at codes and links',
    most: [
      count(BY_ADDRESS.perNetwork, 'a minute per network'),
      count(PER_TARGET, 'per account and network'),
      count(STRANGERS_PER_ACCOUNT, 'per account from new places'),
      count(STRANGERS.perMinute, 'from all networks nobody signed in from'),
    ],
    of: ['processor', 'database'],
    beyond: '429; the owner can still sign in',
    shownBy: attack('sign-in-flood'),
  },
  'password-hashes': {
    what: 'passwords that are checked',
    most: [count(HASHES_AT_ONCE, 'at once, with 32 MiB each'), count(MOST_HASHES, 'waiting')],
    of: ['processor', 'memory'],
    beyond: '503 with `retry-after`',
    shownBy: test('access/accounts/passwords.test.ts', 'a crowd waits its turn, and only so many wait'),
  },
  'account-activity': {
    what: 'entries of recent activity, of which the wrong passwords of an hour are one',
    most: [count(MOST_KEPT, 'per person')],
    of: ['database'],
    beyond: 'the oldest are deleted',
    shownBy: test('store/contract/activity.contract.ts', 'is kept up to a number of entries, of which the newest stay'),
  },
  'remembered-names': {
    what: 'networks, accounts and devices that are counted',
    most: [count(MAX_NAMES, 'per limit')],
    of: ['memory'],
    beyond: 'the oldest are forgotten',
    shownBy: test('access/limits/attempt-limiter.test.ts', 'are forgotten, oldest first, before they fill up memory'),
  },
  'console-body': {
    what: 'the body of a console request',
    most: [bytes(MAX_CONSOLE_BODY_BYTES)],
    beyond: '413',
    shownBy: test('console-api/contract/policy.contract.ts', 'is rejected when it is too large'),
  },
  crowd: {
    what: 'console requests',
    most: [
      count(PER_NETWORK, 'at once per network'),
      count(AT_ONCE_PER_PERSON, 'at once per person'),
      count(MOST_WAITING_PER_PERSON, 'waiting'),
      time(WITHIN_MS),
    ],
    of: ['memory', 'processor', 'database'],
    beyond: '429; a call that takes longer gets a 503',
    shownBy: test('console-api/guard/crowd-limit.test.ts', 'are limited while others are being answered'),
  },
  streams: {
    what: 'event streams',
    most: [count(PER_PERSON, 'per person'), count(PER_ORGANIZATION, 'per organization'), count(IN_ALL, 'in total')],
    beyond: '429',
    shownBy: test('console-api/contract/members.contract.ts', 'are counted exactly while they open at once'),
  },
  downloads: {
    what: 'downloads of all that is kept',
    most: [count(DOWNLOADS_PER_PERSON, 'at once per person')],
    of: ['memory', 'processor', 'database'],
    beyond: '429',
    shownBy: test('console-api/contract/deletion.contract.ts', 'are limited for each person'),
  },
  queries: {
    what: 'queries that wait for the database',
    most: [count(BOUNDS.maxWaiting, 'in total'), time(BOUNDS.maxWaitMs)],
    of: ['memory', 'database'],
    beyond: "503; API calls don't need it",
    shownBy: attack('silent-store'),
  },
  pages: {
    what: 'a page of keys, requests or the audit log',
    most: [count(MAX_PAGE, 'entries; 1,000 requests')],
    beyond: '400',
    shownBy: test('console-api/contract/policy.contract.ts', 'is rejected and changes nothing: %s %s %j'),
  },
  'usage-range': {
    what: 'a question about usage',
    most: [count(MOST_DAYS.hour, 'days by hour'), count(MOST_DAYS.day, 'days by day'), count(MOST_SUMS, 'sums')],
    beyond: '400; the rest is summed up',
    shownBy: test(
      'console-api/contract/usage.contract.ts',
      'sends the first sums, and series only for the keys that lead',
    ),
  },
  speeds: {
    what: 'measured speeds',
    most: [count(SPEEDS, 'in total'), count(MAX_MEASURED, 'per device')],
    of: ['memory'],
    beyond: 'the oldest are forgotten',
    shownBy: test('console-api/state/speeds.test.ts', 'keep the last 40 answers of each model of a device'),
  },
  keys: {
    what: 'API keys',
    most: [setting('KEYS_PER_MEMBER', 'per member'), setting('KEYS_PER_ORGANIZATION', 'per organization')],
    of: ['memory', 'database'],
    beyond: '409',
    shownBy: test('store/contract/keys.contract.ts', 'cannot be created beyond the quota of an organization'),
  },
  'playground-keys': {
    what: 'keys of the playground',
    most: [count(MAX_WORKING, 'per member'), count(PLAYGROUND_SECRETS, 'in memory')],
    of: ['memory', 'database'],
    beyond: 'the oldest ends',
    shownBy: test('store/contract/keys.contract.ts', 'of the playground end, oldest first, when a member has too many'),
  },
  'template-check': {
    what: 'checks of chat templates',
    most: [
      time(CHECK_MS),
      bytes(MEMORY_MB * MIB),
      count(CHECKS_AT_ONCE, 'threads in total'),
      count(MOST_PER_ORGANIZATION, 'per organization'),
      count(MOST_CHECKS, 'waiting'),
    ],
    beyond: 'organizations take turns; 400, 429 or 503',
    shownBy: test('chat-template/template-checks.test.ts', 'take a few threads for all organizations'),
  },
  invitations: {
    what: 'unused invitations',
    most: [setting('INVITATIONS_PER_ORGANIZATION', 'per organization')],
    of: ['memory', 'database'],
    beyond: '409',
    shownBy: test(QUOTAS, 'is limited for %s'),
  },
  enrolments: {
    what: 'unused enrolment tokens',
    most: [setting('DEVICES_PER_ORGANIZATION', 'per organization')],
    of: ['database'],
    beyond: '409',
    shownBy: test('store/contract/devices.contract.ts', 'get no further tokens once there are as many'),
  },
  'enabled-models': {
    what: 'models of an organization',
    most: [setting('MODELS_PER_ORGANIZATION')],
    of: ['memory', 'processor', 'database'],
    beyond: '409',
    shownBy: test(QUOTAS, 'is limited for %s'),
  },
  organizations: {
    what: 'organizations that a person creates',
    most: [setting('ORGANIZATIONS_PER_PERSON')],
    of: ['memory', 'database'],
    beyond: '409',
    shownBy: test(QUOTAS, 'is limited for %s'),
  },
  members: {
    what: 'members of an organization',
    most: [count(MOST_MEMBERS, 'per organization')],
    of: ['database'],
    beyond: '409',
    shownBy: test('store/store.test.ts', 'are ten thousand per organization at most'),
  },
} as const satisfies Record<string, Bound>
