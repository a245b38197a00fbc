// A chat request, normalized for a device: every field is valid, synonyms are resolved (developer is system, text parts are joined,
// functions are tools), and a field that asks for nothing is absent. A new field also needs an entry in job-fields.ts.

export interface ChatJob {
  model: string
  messages: JobMessage[]
  temperature?: number
  topP?: number
  maxTokens?: number
  stop?: string[]
  frequencyPenalty?: number
  presencePenalty?: number
  /** Number of choices; absent means one. */
  n?: number
  /** Asks for log probabilities, with `top` alternatives per token, 0 to 20. */
  logprobs?: { top: number }
  /** Token id of the serving model → bias from -100 to 100. */
  logitBias?: Record<string, number>
  responseFormat?: ResponseFormat
  tools?: JobTool[]
  /** 'none' forbids tool calls; absent means the model decides. */
  toolChoice?: 'none'
  reasoningEffort?: 'low' | 'medium' | 'high'
  webSearch?: WebSearch
  prefixScope?: PrefixScope
  recovery?: Recovery
}

export type JobMessage =
  | { role: 'system' | 'user'; content: string; name?: string }
  | { role: 'assistant'; content: string; name?: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; content: string; toolCallId: string; name?: string }

/** `arguments` is JSON text exactly as the model wrote it. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

export interface JobTool {
  name: string
  description?: string
  /** JSON Schema of the arguments; absent means any object. */
  parameters?: JsonSchema
  strict?: boolean
}

export type ResponseFormat =
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; description?: string; schema: JsonSchema }

export type JsonSchema = { [keyword: string]: unknown }

/** Whose prompts a job may reuse: a device keeps what it computed for earlier prompts, and a prompt that begins the same reuses it. */
export interface PrefixScope {
  /** Opaque. Jobs of the same API key have the same name. */
  name: string
  /** Reuse nothing that was computed for another scope. Without it, the job asks for nothing; the device only counts by scope. */
  isSeparate?: boolean
}

/** Asks the device to report the tokens of its reply, so that another device can continue it. */
export interface Recovery {
  /** The gateway takes the id of a single token without a list around it. */
  bareId?: boolean
  /** The part of each choice that the client already has, if another device began the reply. The device sends only the rest. */
  choices?: BegunChoice[]
}

export interface BegunChoice {
  /** The ids of the tokens that were drawn so far. */
  tokens: number[]
  /** The text that the client has: its length in UTF-16 units, and its checksum. A device whose text differs can't continue the reply. */
  length: number
  checksum: number
  /** The client has the tool calls of this choice. */
  hasCalls: boolean
}

export interface WebSearch {
  contextSize?: 'low' | 'medium' | 'high'
  location?: { city?: string; country?: string; region?: string; timezone?: string }
}
