// Bounds of other gateways, and of whoever else can reach the message bus.

import { KEYS_PER_MESSAGE } from '../../access/limits/shared-limits.ts'
import { MAX_UNCONFIRMED_BYTES } from '../../bus/nats-pulse.ts'
import { ANSWER_MS, MOST_ANSWERING } from '../../fleet/view/asks.ts'
import { MAX_BATCH_BYTES } from '../../fleet/peers/links/incoming.ts'
import { MOST_HEARD } from '../../fleet/peers/core/hearing.ts'
import { MOST_ORGANIZATIONS } from '../../fleet/view/served-models.ts'
import { MOST_WATCHED } from '../../fleet/view/changes.ts'
import { MOST_KEYS } from '../../access/limits/rate-limit.ts'
import { MOST_BATCHES, MOST_HOLDERS } from '../../access/limits/spending.ts'
import { WINDOW_BYTES } from '../../fleet/peers/links/outgoing.ts'
import { MOST_PEERS, SILENCE_MS } from '../../fleet/peers/links/peer-links.ts'
import { bound, bytes, count, time } from './bound.ts'

export const PEER_BOUNDS = {
  'bus-message': bound(
    'one message on the bus',
    [bytes(1024 * 1024)],
    'memory processor',
    'the NATS server rejects it',
  ),
  'on-its-way': bound(
    'bytes on their way to one gateway',
    [bytes(WINDOW_BYTES), bytes(MAX_UNCONFIRMED_BYTES, 'to the NATS server')],
    'memory',
    'devices that answer for it pause; the connection is given up',
  ),
  silence: bound('a gateway that is silent', [time(SILENCE_MS)], 'memory', 'everything about it is forgotten'),
  asks: bound('questions to other gateways', [time(ANSWER_MS)], 'memory', 'the answer is left out'),
  counts: bound(
    'counts of keys in one message',
    [count(KEYS_PER_MESSAGE, 'keys')],
    'memory processor',
    'the next message has the rest',
  ),
  peers: bound(
    'gateways that are heard',
    [count(MOST_PEERS, 'peer links'), count(MOST_HEARD, 'heartbeats of others')],
    'memory',
    'more are not heard',
  ),
  watches: bound(
    'what a gateway watches and names',
    [
      count(MOST_WATCHED, 'organizations watched'),
      count(MOST_ORGANIZATIONS, 'organizations with models'),
      count(MOST_KEYS, 'keys with counts'),
      count(MOST_BATCHES, 'batches of usage'),
      count(MOST_HOLDERS, 'budgets in each'),
      count(MOST_ANSWERING, 'questions at once'),
    ],
    'memory',
    'more are dropped',
  ),
  nonsense: bound('a message that makes no sense', [count(1, 'line in the log')], 'memory processor', 'it is dropped'),
  'half-batches': bound(
    'messages that are half there',
    [bytes(MAX_BATCH_BYTES, 'per peer link')],
    'memory processor',
    'the peer link breaks',
  ),
}
