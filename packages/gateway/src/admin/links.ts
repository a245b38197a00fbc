// Links that the operator gives to people: the gateway's URL in them, and how they are presented.

import type { Command } from 'commander'
import { findDatabase, type DatabaseChoice } from './find-database.ts'
import { readGatewayUrl } from './read-arguments.ts'
import { show, type Terminal } from './terminal.ts'

/** Where a gateway listens by default. */
const DEFAULT_GATEWAY = 'http://localhost:8080'

export function withGateway(command: Command, terminal: Terminal): Command {
  const help = 'URL that people and devices use for the gateway (default: PUBLIC_URL, or where it runs)'
  return command.option('--gateway <url>', help, readGatewayUrl).hook('preAction', (action) => {
    const { gateway, ...choice } = action.opts<DatabaseChoice & { gateway?: string }>()
    if (gateway === undefined) action.setOptionValue('gateway', gatewayUrlOf(terminal, choice))
  })
}

function gatewayUrlOf(terminal: Terminal, choice: DatabaseChoice): string {
  return terminal.environment['PUBLIC_URL'] || findDatabase(terminal, choice, true).gatewayUrl || DEFAULT_GATEWAY
}

export function describeLink(link: string, recipient: string, expiresAt: Date): string {
  return `Send this link to ${recipient}:\n\n  ${link}\n\nIt works once, until ${show(expiresAt)}.`
}
