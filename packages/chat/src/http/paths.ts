// The path of a request, as the client sent it.

/** A client that takes the server for a proxy sends the whole address; the rest of it is the same. */
export function toOriginForm(url: string): { path: string; authority?: string } {
  const absolute = url.startsWith('/') ? null : /^https?:\/\/([^/?#]+)/i.exec(url)
  if (absolute === null) return { path: url }
  const [origin, authority = ''] = absolute
  const path = url.slice(origin.length)
  return { path: path.startsWith('/') ? path : `/${path}`, authority }
}

/** Without the query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
