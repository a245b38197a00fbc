// Links that the operator gives to people: the gateway's URL in them, and how they are presented.

import type { Command } from 'commander'
import { readGatewayUrl } from './read-arguments.ts'
import { show, type Terminal } from './terminal.ts'

/** Where a gateway listens by default. */
const DEFAULT_GATEWAY = 'http://localhost:8080'

export function withGateway(command: Command, { environment }: Terminal): Command {
  const fallback = environment['PUBLIC_URL'] || DEFAULT_GATEWAY
  return command.option('--gateway <url>', 'URL that people and devices use for the gateway', readGatewayUrl, fallback)
}

export function describeLink(link: string, recipient: string, expiresAt: Date): string {
  return `Send this link to ${recipient}:\n\n  ${link}\n\nIt works once, until ${show(expiresAt)}.`
}
