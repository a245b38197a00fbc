// Links that the operator gives to people: the gateway's URL in them, and how they are presented.

import type { CommandWorld, Given } from '@hearth/command-line/program/commands'
import { findDatabase } from './find-database.ts'
import { readGatewayUrl } from './read-arguments.ts'
import { formatCell } from './terminal.ts'
import type { CommonOptions } from './with-store.ts'

/** A gateway that no command can find, such as one of another account, has its port from the same settings. */
const DEFAULT_PORT = '8080'

export const GATEWAY: Given = [
  '--gateway <url>',
  'URL that people and devices use for the gateway (default: PUBLIC_URL, or where it runs)',
  readGatewayUrl,
]

export function gatewayUrlOf(
  world: CommandWorld,
  { gateway, ...choice }: CommonOptions & { gateway?: string },
): string {
  const { PUBLIC_URL: url, PORT: port } = world.environment
  const found = gateway || url || findDatabase(world, { ...choice, isChange: true }, true).gatewayUrl
  return found || `http://localhost:${port || DEFAULT_PORT}`
}

export function describeLink(link: string, recipient: string, expiresAt: Date): string {
  return `Send this link to ${recipient}:\n\n  ${link}\n\nIt works once, until ${formatCell(expiresAt)}.`
}
