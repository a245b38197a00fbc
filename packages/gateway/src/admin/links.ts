// Links the operator hands to people: where they begin, and how they are told.

import type { Command } from 'commander'
import { readGatewayUrl } from './read-words.ts'
import { show, type Terminal } from './terminal.ts'

/** Where a gateway listens when no setting says otherwise. */
const DEFAULT_GATEWAY = 'http://localhost:8080'

export function withGateway(command: Command, { environment }: Terminal): Command {
  const fallback = environment['PUBLIC_URL'] || DEFAULT_GATEWAY
  return command.option('--gateway <url>', 'the address at which the gateway is found', readGatewayUrl, fallback)
}

export function describeLink(link: string, whom: string, expiresAt: Date): string {
  return `Give this link to ${whom}:\n\n  ${link}\n\nIt works once, until ${show(expiresAt)}.`
}
