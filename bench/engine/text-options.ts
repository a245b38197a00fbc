/** For `parseArgs`: options that are texts, each with its default. */
export function textOptions<Name extends string>(defaults: Readonly<Record<Name, string>>) {
  const options = Object.entries<string>(defaults).map(([name, text]) => [name, { type: 'string', default: text }])
  return Object.fromEntries(options) as Record<Name, { type: 'string'; default: string }>
}
