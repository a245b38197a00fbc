// Why a NATS server can't be used, in words that tell an operator what to change.

import { AuthorizationError } from '@nats-io/transport-node'

export function explainNatsError(error: unknown, servers: readonly string[]): Error {
  const where = servers.join(', ')
  if (error instanceof AuthorizationError)
    return new Error(`NATS at ${where} rejects the user name, password or token`, { cause: error })
  const why = reasonOf(error)
  if (isAboutTls(error, why))
    return new Error(`Cannot connect to NATS at ${where} over TLS: ${why}. ${TLS_HINT}`, { cause: error })
  return new Error(`Cannot reach NATS at ${where}: ${why}`, { cause: error })
}

const TLS_HINT =
  'If an authority of your own signed its certificate, name its file in NODE_EXTRA_CA_CERTS; if the server has no TLS, use nats:// instead of tls://'

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection was closed'
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message
}

/** The library reports a server without TLS only in its message. The text chooses a hint here, and decides nothing. */
function isAboutTls(error: unknown, why: string): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) || /\btls\b|certificate/i.test(why)
}
