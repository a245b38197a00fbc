// An entry of the list: everything that is known about a model before it is downloaded.

export interface ListedModel {
  /** The name people ask for it by, which is also the name it is served under: `qwen3:8b`. */
  name: string
  /** Other names for it. The maker's own repository is one of them. Case doesn't matter. */
  aliases: readonly string[]
  title: string
  maker: string
  /** A few words for someone who has to choose. */
  goodAt: string
  /** A good choice for someone who doesn't know yet what they need: general, and among the best of its size. */
  isAllRounder?: true
  license: License
  /** The most tokens that it was trained for. */
  contextLength: number
  /** In billions. */
  parameters: number
  /** In billions: parameters that each token passes through, if not all of them. */
  activeParameters?: number
  /** Memory that each token of the context takes while the model runs, at 16 bits per value. */
  contextBytesPerToken: number
  hub: HubRepository
  /** Smallest first. */
  quantizations: readonly ListedQuantization[]
  sampling: SamplingDefaults
  /** For models that need one to answer well. */
  systemMessage?: string
  /** For models that don't always find an end, in tokens. */
  maxTokens?: number
}

export interface License {
  name: string
  url: string
}

export interface HubRepository {
  owner: string
  repository: string
  /** Without one, the newest files count. */
  revision?: string
}

export interface ListedQuantization {
  /** As it appears in the name of the file: `Q4_K_M`. */
  name: string
  /** All files together. */
  bytes: number
  /** The size is rounded or computed. The hub has the exact one. */
  isApproximate: boolean
  /** Only if this exact file is meant. */
  file?: { path: string; sha256: string }
}

/** As the model's authors recommend. Values they say nothing about are absent. */
export interface SamplingDefaults {
  temperature?: number
  topP?: number
  topK?: number
  minP?: number
  repeatPenalty?: number
  presencePenalty?: number
  frequencyPenalty?: number
}
