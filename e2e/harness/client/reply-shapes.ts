// Types of API responses for tests: only the fields that tests look at. Nothing validates them.

export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string }
}

export interface ModelBody {
  id: string
  object: string
  created: number
  owned_by: string
}

export interface CallBody {
  index?: number
  id: string
  type: string
  function: { name: string; arguments: string }
}

export interface LogprobsBody {
  content: {
    token: string
    logprob: number
    bytes: number[] | null
    top_logprobs: { token: string; logprob: number }[]
  }[]
  refusal: null
}

export interface UsageBody {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: { cached_tokens: number }
  completion_tokens_details?: { reasoning_tokens: number }
}

interface BodyHead {
  id: string
  object: string
  created: number
  model: string
  system_fingerprint: string
}

export interface CompletionBody extends BodyHead {
  choices: {
    index: number
    message: {
      role: string
      content: string
      refusal: null
      tool_calls?: CallBody[]
      function_call?: { name: string; arguments: string }
      annotations?: unknown[]
    }
    logprobs: LogprobsBody | null
    finish_reason: string
  }[]
  usage?: UsageBody
}

export interface ChunkBody extends BodyHead {
  choices: {
    index: number
    delta: {
      role?: string
      content?: string
      tool_calls?: CallBody[]
      function_call?: { name: string; arguments: string }
      annotations?: unknown[]
    }
    logprobs: LogprobsBody | null
    finish_reason: string | null
  }[]
  usage?: UsageBody | null
}
