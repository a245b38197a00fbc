// The fields of a chat request that the interface names, in its order.

export const READ_FIELDS = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'reasoning_effort',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'web_search_options',
] as const

/** Accepted without an effect. */
export const IGNORED_FIELDS = [
  'seed',
  'user',
  'safety_identifier',
  'store',
  'metadata',
  'service_tier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
] as const

export const REJECTED_FIELDS = ['prediction', 'verbosity', 'moderation', 'modalities', 'audio'] as const

export const KNOWN_FIELDS = [...READ_FIELDS, ...IGNORED_FIELDS, ...REJECTED_FIELDS] as const
