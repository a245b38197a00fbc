// The source of a model without secrets. An address that somebody signed for one download carries
// its key in the query or before the host. The source is shown in the console and to other devices,
// and must not let anybody else download.

/** Without query, fragment, user and password. Names of models stay as they are. */
export function plainSource(source: string): string {
  return source.replace(/[?#].*$/s, '').replace(/^(\s*https?:[\\/]*)[^\\/]*@/i, '$1')
}

/** The same for every address in a sentence. */
export function withPlainSources(text: string): string {
  return text.replace(/https?:\S+/gi, plainSource)
}
