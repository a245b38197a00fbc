// Every attack from outside, in one table. Those from inside aren't here: they import the store, which takes an attacker's process five times
// as long to load as everything else.

import { endlessCalls } from './attacks/endless-reply.ts'
import { halfMessages } from './attacks/crowds/half-messages.ts'
import { longPrompts } from './attacks/long-prompts.ts'
import { manyValues } from './attacks/many-values.ts'
import { newConnections } from './attacks/new-connections.ts'
import { oversizedPrompts } from './attacks/oversized-prompts.ts'
import { pingFlood } from './attacks/ping-flood.ts'
import { signInFlood } from './attacks/sign-in-flood.ts'
import { silentHolders } from './attacks/silent-holders.ts'
import { unreadAnswers } from './attacks/unread-answers.ts'
import { unreadStreams } from './attacks/unread-replies.ts'
import type { Attack } from './attack.ts'

export const ATTACKS: readonly Attack[] = [
  manyValues,
  longPrompts,
  oversizedPrompts,
  endlessCalls,
  signInFlood,
  unreadAnswers,
  unreadStreams,
  halfMessages,
  pingFlood,
  newConnections,
  silentHolders,
]
