// Bounds of other gateways, and of whoever else can reach the message bus.

import { KEYS_PER_MESSAGE } from '../../access/limits/shared-limits.ts'
import { MAX_UNCONFIRMED_BYTES } from '../../bus/nats-pulse.ts'
import { PEER_ANSWER_MS, MOST_ANSWERING } from '../../fleet/view/peer-questions.ts'
import { MAX_BATCH_BYTES } from '../../fleet/peers/links/incoming.ts'
import { MOST_HEARD } from '../../fleet/peers/core/liveness.ts'
import { MOST_ORGANIZATIONS } from '../../fleet/view/served-models.ts'
import { MOST_WATCHED } from '../../fleet/view/changes.ts'
import { MOST_KEYS } from '../../access/limits/rate-limit.ts'
import { MOST_BATCHES, MOST_HOLDERS } from '../../access/limits/spending.ts'
import { WINDOW_BYTES } from '../../fleet/peers/links/outgoing.ts'
import { MOST_PEERS, SILENCE_MS } from '../../fleet/peers/links/peer-links.ts'
import { bytes, count, test, time, type Bound } from './bound.ts'

const HOSTILE = 'fleet/fleet.hostile-peer.test.ts'
const LINKS = 'fleet/peers/links/peer-links.test.ts'

export const PEER_BOUNDS = {
  'bus-message': {
    what: 'one message on the bus',
    most: [bytes(1024 * 1024)],
    beyond: 'the NATS server rejects it',
    shownBy: test('bus/bus.contract.ts', 'rejects payloads that are too large'),
  },
  'on-its-way': {
    what: 'bytes on their way to one gateway',
    most: [bytes(WINDOW_BYTES), bytes(MAX_UNCONFIRMED_BYTES, 'to the NATS server')],
    of: ['memory'],
    beyond: 'devices that answer for it pause; the connection is given up',
    shownBy: test(LINKS, 'says when much waits for the other side'),
  },
  silence: {
    what: 'a gateway that is silent',
    most: [time(SILENCE_MS)],
    of: ['memory'],
    beyond: 'everything about it is forgotten',
    shownBy: test(LINKS, 'breaks after three seconds of silence'),
  },
  asks: {
    what: 'questions to other gateways',
    most: [time(PEER_ANSWER_MS)],
    of: ['memory'],
    beyond: 'the answer is left out',
    shownBy: test('fleet/contract/model-requests.contract.ts', 'end when the device is gone'),
  },
  counts: {
    what: 'counts of keys in one message',
    most: [count(KEYS_PER_MESSAGE, 'keys')],
    beyond: 'the next message has the rest',
    shownBy: test('access/limits/shared-limits.test.ts', 'requests per minute count over all of them'),
  },
  peers: {
    what: 'gateways that are heard',
    most: [count(MOST_PEERS, 'peer links'), count(MOST_HEARD, 'heartbeats of others')],
    of: ['memory'],
    beyond: 'more are not heard',
    shownBy: test(HOSTILE, 'is heard under a thousand numbers'),
  },
  watches: {
    what: 'what a gateway watches and names',
    most: [
      count(MOST_WATCHED, 'organizations watched'),
      count(MOST_ORGANIZATIONS, 'organizations with models'),
      count(MOST_KEYS, 'keys with counts'),
      count(MOST_BATCHES, 'batches of usage'),
      count(MOST_HOLDERS, 'budgets in each'),
      count(MOST_ANSWERING, 'questions at once'),
    ],
    of: ['memory'],
    beyond: 'more are dropped',
    shownBy: test(HOSTILE, 'watches ten thousand organizations'),
  },
  nonsense: {
    what: 'a message that makes no sense',
    most: [count(1, 'line in the log')],
    beyond: 'it is dropped',
    shownBy: test('fleet/terms/messages.test.ts', 'is not taken if it makes no sense'),
  },
  'half-batches': {
    what: 'messages that are half there',
    most: [bytes(MAX_BATCH_BYTES, 'per peer link')],
    beyond: 'the peer link breaks',
    shownBy: test('fleet/peers/links/peer-links.hostile-peer.test.ts', 'that never ends a batch fills no memory'),
  },
} as const satisfies Record<string, Bound>
