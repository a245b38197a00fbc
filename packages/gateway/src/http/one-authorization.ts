import type { IncomingMessage } from 'node:http'

/** Two Authorization headers count as none: `headers` of node:http would silently have the first. */
export function oneAuthorization({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | undefined {
  const [value, ...others] = headersDistinct['authorization'] ?? []
  return others.length === 0 ? value : undefined
}
