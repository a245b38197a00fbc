// Every attack from outside, in one table. Those from inside aren't here: they import the store, which takes an attacker's process five times
// as long to load as everything else.

import { compressedBodies } from './attacks/compressed-bodies.ts'
import { endlessAnnotations, endlessCalls, endlessLogprobs } from './attacks/endless-reply.ts'
import { fragmentedLinks } from './attacks/fragmented-links.ts'
import { halfBodies } from './attacks/half-bodies.ts'
import { halfMessages } from './attacks/crowds/half-messages.ts'
import { longPrompts } from './attacks/long-prompts.ts'
import { manyReports } from './attacks/crowds/many-reports.ts'
import { manyValues } from './attacks/many-values.ts'
import { newConnections } from './attacks/new-connections.ts'
import { oversizedPrompts } from './attacks/oversized-prompts.ts'
import { pingFlood } from './attacks/ping-flood.ts'
import { pipelinedRequests } from './attacks/pipelined-requests.ts'
import { redials } from './attacks/redials.ts'
import { relayPosts } from './attacks/relays/relay-posts.ts'
import { relaySearch } from './attacks/relays/relay-search.ts'
import { relayUnread } from './attacks/relays/relay-unread.ts'
import { signInFlood } from './attacks/sign-in-flood.ts'
import { silentHolders } from './attacks/silent-holders.ts'
import { toggledModels } from './attacks/toggled-models.ts'
import { tokenFlood } from './attacks/token-flood.ts'
import { unreadAnswers } from './attacks/unread-answers.ts'
import { unreadReplies, unreadStreams } from './attacks/unread-replies.ts'
import type { Attack } from './attack.ts'

export const ATTACKS: readonly Attack[] = [
  manyValues,
  longPrompts,
  oversizedPrompts,
  newConnections,
  endlessCalls,
  endlessLogprobs,
  endlessAnnotations,
  tokenFlood,
  signInFlood,
  redials,
  toggledModels,
  unreadAnswers,
  unreadReplies,
  unreadStreams,
  fragmentedLinks,
  manyReports,
  halfMessages,
  halfBodies,
  compressedBodies,
  pipelinedRequests,
  pingFlood,
  relaySearch,
  relayPosts,
  relayUnread,
  silentHolders,
]
