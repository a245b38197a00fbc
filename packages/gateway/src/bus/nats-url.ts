// Reads nats://user:password@host:4222, tls://, a token in place of the user, and several servers of one cluster with commas between them.

export interface NatsAddress {
  /** host:port, without credentials: safe to log. */
  servers: string[]
  isEncrypted: boolean
  user?: string
  password?: string
  token?: string
}

const DEFAULT_PORT = '4222'

/** Throws an error that doesn't contain the password. */
export function readNatsUrl(text: string): NatsAddress {
  const urls = text.split(',').map((part) => readUrl(part.trim()))
  const first = urls.find(({ username }) => username !== '')
  const encrypted = urls.filter(({ protocol }) => protocol === 'tls:')
  if (encrypted.length > 0 && encrypted.length < urls.length)
    throw new Error('Cannot read the NATS URL: either all servers have tls:// or none')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`),
    isEncrypted: encrypted.length > 0,
    ...(first && readCredentials(first)),
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`)
  if (!url || !url.hostname || (url.protocol !== 'nats:' && url.protocol !== 'tls:'))
    throw new Error('Cannot read the NATS URL: it has to look like nats://user:password@host:4222 or tls://host:4222')
  return url
}

function readCredentials({ username, password }: URL): Pick<NatsAddress, 'user' | 'password' | 'token'> {
  const user = decodeURIComponent(username)
  return password === '' ? { token: user } : { user, password: decodeURIComponent(password) }
}
