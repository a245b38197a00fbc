// What is compared: something that continues a conversation with a fixed number of tokens. Each is asked for the same tokens of the same
// model file, with the same number of threads.

export interface Turn {
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  tokens: number
  /** With each token, in milliseconds of performance.now(). */
  onToken?: (at: number, text: string) => void
  signal?: AbortSignal
}

export interface System {
  readonly name: string
  /** Resolves after the last token, or when everything is free again after an abort. */
  answer(turn: Turn): Promise<void>
  stop(): Promise<void>
}

export interface SystemOptions {
  model: string
  threads: number
  slots: number
  contextLength: number
}
