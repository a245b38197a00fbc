// Bounds of other gateways, and of whoever else can reach the message bus.

import { KEYS_PER_MESSAGE } from '../access/limits/shared-limits.ts'
import { MAX_UNCONFIRMED_BYTES } from '../bus/nats-pulse.ts'
import { ANSWER_MS } from '../fleet/asks.ts'
import { WINDOW_BYTES } from '../fleet/peer-link/outgoing.ts'
import { SILENCE_MS } from '../fleet/peer-link/peer-links.ts'
import { bytes, count, test, time, attack, type Bound } from './bound.ts'

const LINKS = 'packages/gateway/src/fleet/peer-link/peer-links.test.ts'

export const PEER_BOUNDS = {
  'bus-message': {
    what: 'one message on the bus',
    most: [bytes(1024 * 1024)],
    of: ['memory', 'processor'],
    beyond: 'the NATS server rejects it',
    shownBy: test('packages/gateway/src/bus/bus.contract.ts', 'rejects payloads that are too large'),
  },
  'on-its-way': {
    what: 'bytes on their way to one gateway',
    most: [bytes(WINDOW_BYTES), bytes(MAX_UNCONFIRMED_BYTES, 'to the NATS server')],
    of: ['memory'],
    beyond: 'devices that answer for it pause; the connection is given up',
    shownBy: test(LINKS, '[N13] says when much waits for the other side'),
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
    most: [time(ANSWER_MS)],
    of: ['memory'],
    beyond: 'the answer is left out',
    shownBy: test('packages/gateway/src/fleet/contract/model-requests.contract.ts', 'end when the device is gone'),
  },
  counts: {
    what: 'counts of keys in one message',
    most: [count(KEYS_PER_MESSAGE, 'keys')],
    of: ['memory', 'processor'],
    beyond: 'the next message has the rest',
    shownBy: test(
      'packages/gateway/src/access/limits/shared-limits.test.ts',
      '[N48] requests per minute count over all of them',
    ),
  },
  peers: { what: 'gateways', most: [], of: ['memory'], beyond: '', shownBy: attack('') },
  'half-batches': { what: 'messages that are half there', most: [], of: ['memory'], beyond: '', shownBy: attack('') },
} as const satisfies Record<string, Bound>
