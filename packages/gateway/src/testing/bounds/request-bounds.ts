// Bounds of requests to the API and of their replies.

import { MAX_DEPTH, MAX_VALUES, MOST_PER_CONNECTION, PIECE_BYTES } from '@hearth/chat'
import { MAX_BEGUN_ATTEMPTS, MAX_BEGUN_BYTES, MAX_REQUEST_ID_LENGTH } from '@hearth/protocol'
import { LARGE_BYTES, LARGE_VALUES } from '../../http/api/chat-call.ts'
import { MAX_EARLY_BYTES } from '../../http/quick/quick-connection.ts'
import { KEPT_BYTES } from '../../http/sealed/kept-lists.ts'
import { MAX_LISTS_BYTES } from '../../http/sealed/put-lists.ts'
import { PUTS_PER_MINUTE, READ_BYTES, READS_PER_MINUTE } from '../../http/sealed/seal-limiter.ts'
import { HEADERS_MS } from '../../http/server.ts'
import { MAX_REPLY_BYTES } from '@hearth/chat'
import { CONVERSATIONS_PER_DEVICE } from '../../fleet/scheduler/core/learned/prefix-memory.ts'
import { REMEMBERED_KEYS } from '../../fleet/scheduler/core/learned/key-habits.ts'
import { ALWAYS_ALLOWED, LONG_TURN } from '../../load/load-limit.ts'
import { CAPACITY } from '../../observe/log-output.ts'
import { MAX_BYTES as JOURNAL_BYTES } from '../../observe/usage-segment.ts'
import { MAX_REQUESTS } from '../../observe/usage-sums.ts'
import { attack, bytes, count, elsewhere, setting, settingWithout, test, time, type Bound } from './bound.ts'

/** Metrics are the largest. */
const MOST_FIXED_BYTES = 256 * 1024

export const REQUEST_BOUNDS = {
  head: {
    what: 'the head of a request',
    most: [bytes(16 * 1024), time(HEADERS_MS)],
    beyond: '431, 408',
    shownBy: elsewhere('e2e/faults/bad-clients.ts', 'A15'),
  },
  'client-ids': {
    what: 'what a client calls its request (`x-request-id`), which logs and the list of requests keep',
    most: [count(MAX_REQUEST_ID_LENGTH, 'characters')],
    of: ['memory', 'database'],
    beyond: 'the request gets an id of the gateway',
    shownBy: elsewhere('packages/protocol/src/job/client-ids.test.ts', '[A15a] counts as not sent'),
  },
  ahead: {
    what: "a connection that doesn't wait for answers",
    most: [count(MOST_PER_CONNECTION, 'requests ahead'), bytes(MAX_EARLY_BYTES, 'ahead of a chat reply')],
    beyond: 'it is closed',
    shownBy: elsewhere(
      'packages/chat/src/http/reply/open-replies.test.ts',
      '[A15f] lose their connection if there are more',
    ),
  },
  body: {
    what: 'a body',
    most: [
      setting('MAX_BODY_BYTES', 'and, if it is sealed, two thirds more'),
      count(MAX_VALUES, 'JSON values'),
      count(MAX_DEPTH, 'levels'),
      setting('BODY_TIMEOUT_MS'),
    ],
    beyond: '400, 408 or 413',
    shownBy: attack('many-values'),
  },
  'reading-a-body': {
    what: 'the work of reading a body',
    most: [bytes(LARGE_BYTES), count(LARGE_VALUES, 'values')],
    of: ['processor'],
    beyond: 'another thread reads it, where organizations take turns',
    shownBy: attack('long-prompts'),
  },
  'request-memory': {
    what: 'memory of requests, and of replies that nobody has read yet',
    most: [settingWithout('MEMORY_BUDGET_MB', 0.5, 'half of the heap')],
    of: ['memory'],
    beyond:
      '429 or 503 with `retry-after`. A key and its organization together never hold more than what is free: alone, a third per key and half per organization',
    shownBy: elsewhere('packages/chat/src/budget/byte-budget.test.ts', 'leaves room for a newcomer'),
  },
  waiting: {
    what: 'waiting requests',
    most: [
      setting('QUEUE_PER_KEY', 'per key'),
      setting('QUEUE_PER_ORGANIZATION', 'per organization'),
      setting('DEVICE_WAIT_MS'),
    ],
    beyond: '429, 503',
    shownBy: elsewhere('e2e/catalogue/h-waiting.test.ts', '[H82a] rejects one too many at once'),
  },
  'in-progress': {
    what: 'chat requests in progress, while turns of the event loop are long',
    most: [
      count(ALWAYS_ALLOWED, 'or as many as there were when turns got long'),
      {
        value: LONG_TURN.turnMs,
        text: `a long turn takes ${LONG_TURN.turnMs} ms, ${LONG_TURN.turnCpuMs} ms of it processor time`,
      },
    ],
    of: ['processor'],
    beyond: '503 with `retry-after`; running ones continue',
    shownBy: test('load/load-limit.test.ts', 'is the number of requests at which they were'),
  },
  reply: {
    what: 'one reply',
    most: [bytes(MAX_REPLY_BYTES), setting('JOB_TOTAL_MS')],
    of: ['memory'],
    beyond: 'the stream ends with an error',
    shownBy: attack('endless-reply', 'endless-calls'),
  },
  'sealed-boxes': {
    what: 'the boxes of a sealed reply, which another device needs to continue it',
    most: [bytes(MAX_BEGUN_BYTES), count(MAX_BEGUN_ATTEMPTS, 'devices')],
    of: ['memory'],
    beyond: 'the reply goes on, and ends with its device. The boxes count as memory of replies',
    shownBy: test('fleet/jobs/jobs.sealed.test.ts', 'is not continued when there is no memory'),
  },
  'signed-lists': {
    what: 'the signed lists of an organization',
    most: [bytes(MAX_LISTS_BYTES, 'in one request'), bytes(KEPT_BYTES, 'in memory, of all organizations')],
    of: ['memory', 'database'],
    beyond:
      '413; those that were not asked for lately are read again. Answers share one copy, which counts as memory of replies while one of them is unread',
    shownBy: attack('unread-answers'),
  },
  'seal-calls': {
    what: "questions about an organization's seal, and new lists",
    most: [
      count(READS_PER_MINUTE, 'questions a minute per key'),
      bytes(READ_BYTES.burst, 'of answers at once per organization'),
      bytes(READ_BYTES.perMinute, 'a minute'),
      count(PUTS_PER_MINUTE, 'lists a minute per organization'),
    ],
    of: ['processor', 'database'],
    beyond: '429 with `retry-after`',
    shownBy: test('http/sealed/seal-limiter.test.ts', 'lets an organization put'),
  },
  'same-for-all': {
    what: 'an answer that is the same for everyone: apps and the console',
    most: [count(1, 'copy in memory'), bytes(PIECE_BYTES, 'on their way per connection')],
    of: ['memory'],
    beyond: 'the rest is sent as the client reads',
    shownBy: attack('unread-answers'),
  },
  'fixed-answers': {
    what: 'an answer that nobody can make larger: errors, health, metrics, credentials',
    most: [bytes(MOST_FIXED_BYTES)],
    of: ['memory'],
    beyond: 'there is none that is larger',
    shownBy: attack('unread-answers'),
  },
  unread: {
    what: "a client that doesn't read",
    most: [setting('CLIENT_STALL_MS')],
    of: ['memory'],
    beyond: 'it is disconnected, whatever it was sent',
    shownBy: attack('unread-replies', 'unread-streams'),
  },
  habits: {
    what: 'what the scheduler remembers of an organization',
    most: [count(REMEMBERED_KEYS, 'keys'), count(CONVERSATIONS_PER_DEVICE, 'conversations per device, as hashes')],
    of: ['memory'],
    beyond: 'the oldest are forgotten',
    shownBy: test('fleet/scheduler/core/learned/key-habits.test.ts', 'are kept for a bounded number of keys'),
  },
  'usage-records': {
    what: 'requests that are not in the database yet',
    most: [bytes(JOURNAL_BYTES, 'on disk'), count(MAX_REQUESTS, 'single requests in memory')],
    of: ['memory'],
    beyond: 'sums are counted in memory, with an alert; the list leaves out the oldest',
    shownBy: test('observe/usage-ledger.test.ts', 'passes on the newest 5,000 requests if there are more'),
  },
  log: {
    what: 'log lines that nobody reads',
    most: [bytes(CAPACITY)],
    of: ['memory'],
    beyond: 'dropped, and counted',
    shownBy: test('observe/log-output.test.ts', 'keeps a bounded amount for a slow reader'),
  },
} as const satisfies Record<string, Bound>
