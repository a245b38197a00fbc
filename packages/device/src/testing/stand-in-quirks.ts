// How servers differ, one switch each. The products' sets follow what their documents, sources and issue trackers say; llama-server's was
// also seen on a real one.

export interface Quirks {
  stop: 'removed' | 'kept' | 'ignored'
  /** 'summed' makes the choices but counts the tokens of all. */
  n: 'made' | 'summed' | 'ignored' | 'refused'
  /** More are refused. */
  maxChoices: number
  schema: 'enforced' | 'without-patterns' | 'ignored' | 'refused'
  jsonObject: 'enforced' | 'ignored' | 'refused'
  tools: 'streamed' | 'in-parts' | 'whole-only' | 'legacy' | 'ignored' | 'refused'
  /** 'timings' and 'continuous' count along with every chunk. */
  usage: 'last' | 'timings' | 'continuous' | 'missing'
  logprobs: 'all' | 'five' | 'ignored' | 'without-bytes'
  bias: 'obeyed' | 'ignored'
  limit: 'max_tokens' | 'max_completion_tokens' | 'ignored'
  thinking: 'none' | 'field' | 'other-field' | 'tags' | 'open-tag'
  effort: 'obeyed' | 'ignored' | 'refused'
  tokensPerPiece: number
  /** Null instead of an empty content, extra nulls everywhere. */
  nulls: boolean
  temperatureZero: 'same' | 'random'
  /** Streams although nobody asked, or not although asked. */
  ignoresStream: boolean
  /** Ends a conversation that is too long by cutting it, not by refusing it. */
  overflow: 'refused' | 'cut'
}

export const CONFORMING: Quirks = {
  stop: 'removed',
  n: 'made',
  maxChoices: 128,
  schema: 'enforced',
  jsonObject: 'enforced',
  tools: 'streamed',
  usage: 'last',
  logprobs: 'all',
  bias: 'obeyed',
  limit: 'max_tokens',
  thinking: 'none',
  effort: 'obeyed',
  tokensPerPiece: 1,
  nulls: false,
  temperatureZero: 'same',
  ignoresStream: false,
  overflow: 'refused',
}

export type StandInProduct = 'ollama' | 'llama-server' | 'lm-studio' | 'vllm' | 'other'

export const PRODUCT_QUIRKS: Record<StandInProduct, Partial<Quirks>> = {
  'llama-server': { usage: 'timings', tools: 'in-parts', maxChoices: 2 },
  vllm: { n: 'summed', usage: 'continuous', tools: 'in-parts' },
  ollama: { n: 'ignored', bias: 'ignored', overflow: 'cut', nulls: true },
  'lm-studio': { n: 'ignored', logprobs: 'ignored', jsonObject: 'refused', bias: 'ignored', tools: 'in-parts' },
  other: {},
}

/** What goes wrong with the next chat request. */
export type Fault =
  | { type: 'none' }
  | { type: 'status'; status: number; body: unknown }
  | { type: 'cut'; afterPieces: number }
  | { type: 'reset'; afterPieces: number }
  | { type: 'broken-json' }
  | { type: 'endless-line' }
  | { type: 'html' }
  | { type: 'silent' }
  | { type: 'error-in-stream'; body: unknown }
