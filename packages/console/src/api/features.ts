// What devices can do beyond plain answers, in words. The compiler asks for a line here when the API gets a new one.

import type { Shapes } from './client.ts'

export type Feature = Shapes['Feature']

export const FEATURES: Record<Feature, { title: string; about: string }> = {
  usage: { title: 'Usage', about: 'Counts the tokens of prompts and answers' },
  json_object: { title: 'JSON', about: 'Answers with valid JSON when asked for it' },
  json_schema: { title: 'JSON schema', about: 'Answers exactly in a shape you define' },
  tools: { title: 'Tools', about: 'Calls functions of your program' },
  logprobs: { title: 'Logprobs', about: 'Tells how likely each token was, and which others were' },
  n: { title: 'Several choices', about: 'Gives more than one answer to a request' },
  logit_bias: { title: 'Logit bias', about: 'Makes chosen tokens more or less likely' },
  reasoning_effort: {
    title: 'Reasoning effort',
    about: 'Thinks shorter or longer as asked, if the model was trained for it',
  },
  web_search: { title: 'Web search', about: 'Looks things up on the web and cites them' },
}
