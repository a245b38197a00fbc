// A system to compare: it continues a conversation with a fixed number of tokens. All of them use the same model file, the same number of
// tokens and the same number of threads.

export interface Turn {
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  tokens: number
  /** Called for each token, with performance.now(). */
  onToken?: (at: number, text: string) => void
  signal?: AbortSignal
  /** 0 unless given. */
  temperature?: number
  /** The reply has to match it. Only the embedded engine knows this. */
  schema?: Readonly<Record<string, unknown>>
}

export interface System {
  readonly name: string
  /** Resolves after the last token, or when all resources are free again after an abort. */
  answer(turn: Turn): Promise<void>
  stop(): Promise<void>
}

export interface SystemOptions {
  model: string
  threads: number
  slots: number
  contextLength: number
  /** The CPU unless given. */
  gpu?: 'cuda' | 'vulkan' | 'metal'
  /** Only the embedded engine uses these. */
  guessing?: 'auto' | 'never'
  repeatable?: boolean
  /** Whose replies help to guess the next ones. */
  key?: string
}
