// Display texts for device features. A new feature in the API does not compile until it has a line here.

import type { Schemas } from './client.ts'

export type Feature = Schemas['Feature']

export const FEATURES: Record<Feature, { title: string; about: string }> = {
  usage: { title: 'Usage', about: 'Reports token usage' },
  json_object: { title: 'JSON', about: 'Responds with valid JSON on request' },
  json_schema: { title: 'JSON schema', about: 'Responds with JSON that matches your schema' },
  tools: { title: 'Tools', about: 'Calls functions in your app' },
  logprobs: { title: 'Logprobs', about: 'Returns the probability of each token and its alternatives' },
  n: { title: 'Multiple choices', about: 'Returns several responses to one request' },
  logit_bias: { title: 'Logit bias', about: 'Makes specific tokens more or less likely' },
  reasoning_effort: {
    title: 'Reasoning effort',
    about: 'Thinks for a shorter or longer time, if the model was trained to reason',
  },
  prefix_scope: {
    title: 'Separate prefixes',
    about: 'Never reuses prompts of other API keys, if your organization asks for that',
  },
  resume: { title: 'Resume', about: 'Continues a response that another device started' },
  sealed: { title: 'Sealed requests', about: 'Opens requests that the gateway can’t read' },
  web_search: { title: 'Web search', about: 'Searches the web and cites its sources' },
}
