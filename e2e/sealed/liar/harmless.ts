// Liberties that a gateway may take: the client still gets the device's text, all of it and in order.

import { answerHonestly } from './honest-device.ts'
import { PLACED, tellTruth, type Lie } from './lying-gateway.ts'

interface Liberty {
  reply: NonNullable<Lie['reply']>
  /** Everybody else gets an error. */
  completes: readonly ('stream' | 'whole')[]
}

const BOTH = ['stream', 'whole'] as const

export const HARMLESS: Readonly<Record<string, Liberty>> = {
  // Where a request runs and how long it waited is the gateway's word anyway, and it counts once.
  'says twice where the request runs': { completes: BOTH, reply: (truth) => [PLACED, PLACED, ...tellTruth(truth)] },
  'says late where the request runs': {
    completes: BOTH,
    reply: ({ boxes, end }) => [...boxes.slice(0, 2), PLACED, ...boxes.slice(2), end],
  },
  'never says where the request runs': { completes: BOTH, reply: ({ boxes, end }) => [...boxes, end] },
  // A comment keeps the connection open.
  'adds comments and fields without meaning': {
    completes: BOTH,
    reply: ({ boxes, end }) => [': one\n\n', ...boxes.slice(0, 2), 'event: x\nid: 5\n\n', ...boxes.slice(2), end],
  },
  // Nothing has begun yet.
  'starts over before the first event': {
    completes: BOTH,
    reply: (truth) => [PLACED, { restart: true }, { restart: true }, ...tellTruth(truth)],
  },
  // A device is lost, and the next one answers from the beginning. A stream has shown something by then, a whole reply has not.
  'starts over on another device': {
    completes: ['whole'],
    reply: async ({ boxes }, { sealed, organization, words }) => {
      const next = await answerHonestly(sealed, organization, words, { attempt: 2 })
      return [PLACED, ...boxes.slice(0, 3), { restart: true }, ...next.boxes, next.end]
    },
  },
  // The next device knows how far the client is, and continues there.
  'has another device continue': {
    completes: BOTH,
    reply: async ({ boxes }, { sealed, organization, words }) => {
      const begun = [{ attempt: 1, boxes: boxes.slice(0, 3).map(({ box }) => box) }]
      const next = await answerHonestly(sealed, organization, words, { attempt: 2, begun, from: 3 })
      return [PLACED, ...boxes.slice(0, 3), ...next.boxes, next.end]
    },
  },
  // The reply is over with its end.
  'goes on after the end': {
    completes: BOTH,
    reply: (truth) => [...tellTruth(truth), ...tellTruth(truth), 'data: x\n\n'],
  },
}
