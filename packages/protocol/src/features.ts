// A feature is something a device can do with one of its models beyond the base fields of the
// interface. Devices announce their features, and the gateway sends a job only to devices that have
// all it needs (job-fields.ts). A name never changes its meaning: a new ability gets a new name, so
// an old device is simply a device without it.

export const FEATURES = [
  'usage', // counts tokens: stream_options.include_usage
  'json_object', // response_format {"type": "json_object"}
  'json_schema', // response_format {"type": "json_schema"}, enforced while generating
  'tools', // tools, tool_choice, functions, and tool results among the messages
  'logprobs', // logprobs and top_logprobs up to 20
  'n', // several choices per request
  'logit_bias', // bias by the model's own token ids
  'reasoning_effort', // low, medium, high; without effect on models not trained for it
  'web_search', // web_search_options
  'prefix_scope', // reuses nothing of other API keys if the organization wants that
  'resume', // reports the tokens of a reply, and continues a reply that another device began
  'sealed', // opens sealed requests, and seals the replies
] as const

export type Feature = (typeof FEATURES)[number]

const known = new Set<string>(FEATURES)

export function isFeature(name: unknown): name is Feature {
  return typeof name === 'string' && known.has(name)
}
