// Puts a fleet together: its parts, the post between them, and the fleet that the rest of the gateway sees.

import { Fleet, type FleetOptions } from './fleet.ts'
import type { PeerLinks } from './peers/links/peer-links.ts'
import type { Peers } from './peers/peers.ts'
import { Post } from './post/post.ts'
import { openRoles, type RolesOptions } from './roles.ts'
import type { Message } from './terms/messages.ts'

export type CreateFleetOptions = RolesOptions & Pick<FleetOptions, 'compareMs'>

/** Without links, the gateway has no peers. */
export function createFleet(options: CreateFleetOptions, peers: Peers, links?: PeerLinks<Message>): Fleet {
  const post = new Post(peers.self, links)
  return new Fleet({ ...options, peers, links, post, roles: openRoles(options, peers, post) })
}
