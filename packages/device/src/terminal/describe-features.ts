/** Abilities that people look for. Those that nearly every model has, or that nobody notices, are left out. */
const WORDS: Readonly<Record<string, string>> = {
  json_schema: 'JSON schemas',
  tools: 'tools',
  logprobs: 'log probabilities',
  reasoning_effort: 'reasoning effort',
  web_search: 'web search',
}

/** JSON schemas, tools and log probabilities */
export function describeFeatures(features: readonly string[]): string {
  const words = features.flatMap((feature) => WORDS[feature] ?? [])
  const last = words.pop()
  if (last === undefined) return 'basic features only'
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`
}
