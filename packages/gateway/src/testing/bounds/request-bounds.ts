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
import { CONVERSATIONS_PER_DEVICE } from '../../fleet/slots/core/learned/prefix-memory.ts'
import { REMEMBERED_KEYS } from '../../fleet/slots/core/learned/key-habits.ts'
import { ALWAYS_ALLOWED, LONG_TURN } from '../../load/load-limit.ts'
import { CAPACITY } from '../../observe/log-output.ts'
import { MAX_BYTES as JOURNAL_BYTES } from '../../observe/usage-segment.ts'
import { MAX_REQUESTS } from '../../observe/usage-sums.ts'
import { bound, bytes, count, setting, settingWithout, time } from './bound.ts'

/** Metrics are the largest. */
const MOST_FIXED_BYTES = 256 * 1024

export const REQUEST_BOUNDS = {
  head: bound('the head of a request', [bytes(16 * 1024), time(HEADERS_MS)], 'memory processor', '431, 408'),
  'client-ids': bound(
    'what a client calls its request (`x-request-id`), which logs and the list of requests keep',
    [count(MAX_REQUEST_ID_LENGTH, 'characters')],
    'memory database',
    'the request gets an id of the gateway',
  ),
  ahead: bound(
    "a connection that doesn't wait for answers",
    [count(MOST_PER_CONNECTION, 'requests ahead'), bytes(MAX_EARLY_BYTES, 'ahead of a chat reply')],
    'memory processor',
    'it is closed',
  ),
  body: bound(
    'a body',
    [
      setting('MAX_BODY_BYTES', 'and, if it is sealed, two thirds more'),
      count(MAX_VALUES, 'JSON values'),
      count(MAX_DEPTH, 'levels'),
      setting('BODY_TIMEOUT_MS'),
    ],
    'memory processor',
    '400, 408 or 413',
  ),
  'reading-a-body': bound(
    'the work of reading a body',
    [bytes(LARGE_BYTES), count(LARGE_VALUES, 'values')],
    'processor',
    'another thread reads it, where organizations take turns',
  ),
  'request-memory': bound(
    'memory of requests, and of replies that nobody has read yet',
    [settingWithout('MEMORY_BUDGET_MB', 0.5, 'half of the heap')],
    'memory',
    '429 or 503 with `retry-after`. A key and its organization together never hold more than what is free: alone, a third per key and half per organization',
  ),
  waiting: bound(
    'waiting requests',
    [
      setting('QUEUE_PER_KEY', 'per key'),
      setting('QUEUE_PER_ORGANIZATION', 'per organization'),
      setting('DEVICE_WAIT_MS'),
    ],
    'memory processor',
    '429, 503',
  ),
  'in-progress': bound(
    'chat requests in progress, while turns of the event loop are long',
    [
      count(ALWAYS_ALLOWED, 'or as many as there were when turns got long'),
      {
        value: LONG_TURN.turnMs,
        text: `a long turn takes ${LONG_TURN.turnMs} ms, ${LONG_TURN.turnCpuMs} ms of it processor time`,
      },
    ],
    'processor',
    '503 with `retry-after`; running ones continue',
  ),
  reply: bound(
    'one reply',
    [bytes(MAX_REPLY_BYTES), setting('JOB_TOTAL_MS')],
    'memory',
    'the stream ends with an error',
  ),
  'sealed-boxes': bound(
    'the boxes of a sealed reply, which another device needs to continue it',
    [bytes(MAX_BEGUN_BYTES), count(MAX_BEGUN_ATTEMPTS, 'devices')],
    'memory',
    'the reply goes on, and ends with its device. The boxes count as memory of replies',
  ),
  'signed-lists': bound(
    'the signed lists of an organization',
    [bytes(MAX_LISTS_BYTES, 'in one request'), bytes(KEPT_BYTES, 'in memory, of all organizations')],
    'memory database',
    '413; those that were not asked for lately are read again. Answers share one copy, which counts as memory of replies while one of them is unread',
  ),
  'seal-calls': bound(
    "questions about an organization's seal, and new lists",
    [
      count(READS_PER_MINUTE, 'questions a minute per key'),
      bytes(READ_BYTES.burst, 'of answers at once per organization'),
      bytes(READ_BYTES.perMinute, 'a minute'),
      count(PUTS_PER_MINUTE, 'lists a minute per organization'),
    ],
    'processor database',
    '429 with `retry-after`',
  ),
  'same-for-all': bound(
    'an answer that is the same for everyone: apps and the console',
    [count(1, 'copy in memory'), bytes(PIECE_BYTES, 'on their way per connection')],
    'memory',
    'the rest is sent as the client reads',
  ),
  'fixed-answers': bound(
    'an answer that nobody can make larger: errors, health, metrics, credentials',
    [bytes(MOST_FIXED_BYTES)],
    'memory',
    'there is none that is larger',
  ),
  unread: bound(
    "a client that doesn't read",
    [setting('CLIENT_STALL_MS')],
    'memory',
    'it is disconnected, whatever it was sent',
  ),
  habits: bound(
    'what the scheduler remembers of an organization',
    [count(REMEMBERED_KEYS, 'keys'), count(CONVERSATIONS_PER_DEVICE, 'conversations per device, as hashes')],
    'memory',
    'the oldest are forgotten',
  ),
  'usage-records': bound(
    'requests that are not in the database yet',
    [bytes(JOURNAL_BYTES, 'on disk'), count(MAX_REQUESTS, 'single requests in memory')],
    'memory',
    'sums are counted in memory, with an alert; the list leaves out the oldest',
  ),
  log: bound('log lines that nobody reads', [bytes(CAPACITY)], 'memory', 'dropped, and counted'),
}
