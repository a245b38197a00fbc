// Picks the proxy for an address, if any, from the usual environment variables. Lowercase names take precedence.

export type Environment = Readonly<Record<string, string | undefined>>

export function chooseProxy(target: URL, environment: Environment): URL | undefined {
  const isSecure = target.protocol === 'https:' || target.protocol === 'wss:'
  const text = read(environment, isSecure ? 'https_proxy' : 'http_proxy') ?? read(environment, 'all_proxy')
  if (text === undefined || isExempt(target, read(environment, 'no_proxy') ?? '')) return undefined
  const address = /^[a-z0-9]+:\/\//i.test(text) ? text : `http://${text}`
  return URL.canParse(address) ? new URL(address) : undefined
}

function read(environment: Environment, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toUpperCase()]
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

/** Entries are `*`, a host, a host with a port, or a domain with all its subdomains (with or without a leading dot). */
function isExempt(target: URL, list: string): boolean {
  const host = target.hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const port = target.port || (target.protocol === 'https:' || target.protocol === 'wss:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const { name, onlyPort } = splitPort(entry)
      const domain = name.replace(/^\*?\./, '')
      return (onlyPort === undefined || onlyPort === port) && (host === domain || host.endsWith(`.${domain}`))
    })
}

/** An IPv6 address contains colons, so it needs brackets to separate the port. */
function splitPort(entry: string): { name: string; onlyPort: string | undefined } {
  const [, bracketed, bracketedPort] = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { name: bracketed, onlyPort: bracketedPort }
  const [, name, onlyPort] = /^([^:]+):(\d+)$/.exec(entry) ?? []
  return { name: name ?? entry, onlyPort }
}
