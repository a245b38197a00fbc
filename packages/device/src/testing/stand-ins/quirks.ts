// How servers differ, one switch per difference. The sets of the products follow their documentation, sources and issue trackers;
// llama-server's was also confirmed on a real server.

export interface Quirks {
  stop: 'removed' | 'kept' | 'ignored'
  /** 'summed' generates the choices but counts the tokens of all of them. */
  n: 'made' | 'summed' | 'ignored' | 'rejected'
  /** More than this are rejected. */
  maxChoices: number
  /** 'blanks' allows any number of blanks, and the model fills its reply with them where a list begins, at temperature 0. */
  schema: 'enforced' | 'blanks' | 'without-patterns' | 'ignored' | 'rejected'
  jsonObject: 'enforced' | 'ignored' | 'rejected'
  tools: 'streamed' | 'in-parts' | 'whole-only' | 'legacy' | 'ignored' | 'rejected'
  /** 'timings' and 'continuous' report counts with every chunk. */
  usage: 'last' | 'timings' | 'continuous' | 'missing'
  logprobs: 'all' | 'five' | 'ignored' | 'without-bytes'
  bias: 'obeyed' | 'ignored'
  limit: 'max_tokens' | 'max_completion_tokens' | 'ignored'
  /** What it does with a limit that is larger than the context. */
  limitOver: 'ignored' | 'rejected'
  thinking: 'none' | 'field' | 'other-field' | 'tags' | 'open-tag'
  /** 'starts-thinking' makes a model think that otherwise doesn't, however much effort is named. */
  effort: 'obeyed' | 'starts-thinking' | 'ignored' | 'rejected'
  tokensPerPiece: number
  /** Null instead of empty content, and extra nulls everywhere. */
  nulls: boolean
  temperatureZero: 'same' | 'random'
  /** Streams without being asked to, or doesn't when asked. */
  ignoresStream: boolean
  /** 'cut' drops part of a conversation that is too long instead of rejecting it. */
  overflow: 'rejected' | 'cut'
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
  limitOver: 'ignored',
  thinking: 'none',
  effort: 'obeyed',
  tokensPerPiece: 1,
  nulls: false,
  temperatureZero: 'same',
  ignoresStream: false,
  overflow: 'rejected',
}

export type StandInProduct = 'ollama' | 'llama-server' | 'lm-studio' | 'vllm' | 'other'

export const PRODUCT_QUIRKS: Record<StandInProduct, Partial<Quirks>> = {
  'llama-server': { usage: 'timings', tools: 'in-parts', maxChoices: 2 },
  vllm: { n: 'summed', usage: 'continuous', tools: 'in-parts', limitOver: 'rejected' },
  ollama: { n: 'ignored', bias: 'ignored', overflow: 'cut', nulls: true },
  'lm-studio': { n: 'ignored', logprobs: 'ignored', jsonObject: 'rejected', bias: 'ignored', tools: 'in-parts' },
  other: {},
}

/** The fault of the next chat request. */
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
