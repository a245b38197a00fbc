// A system to compare: it continues a conversation with a fixed number of tokens. All of them use the same model file, the same number of
// tokens and the same number of threads.

export interface Turn {
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  tokens: number
  /** Called for each token, with performance.now(). */
  onToken?: (at: number, text: string) => void
  signal?: AbortSignal
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
}
