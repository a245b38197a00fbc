// Decides when engines have died on a GPU often enough to leave it. A message of the GPU's own code is proof after two crashes; other crashes
// may come from a request, which is rejected after three of them, so they take more.

import type { BackendFault } from './backend.ts'

/** Native code has no error codes, only lines that it prints. */
const PROOF = /CUDA error|CUBLAS|ggml-cuda|vk::|ggml-vulkan|ggml-metal|ggml_metal/i
const PROVEN_LIMIT = 2
const UNCLEAR_LIMIT = 5
/** Crashes that are this far apart have nothing to do with each other. */
const WINDOW_MS = 30 * 60_000

export class CrashCount {
  readonly #now: () => number
  #crashes: { atMs: number; isProof: boolean }[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns how many there were if that is too many. */
  note({ how, isCertain }: BackendFault): number | undefined {
    const atMs = this.#now()
    const recent = this.#crashes.filter((crash) => atMs - crash.atMs < WINDOW_MS)
    this.#crashes = [...recent, { atMs, isProof: isCertain || PROOF.test(how) }]
    const proven = this.#crashes.filter(({ isProof }) => isProof).length
    return proven >= PROVEN_LIMIT || this.#crashes.length >= UNCLEAR_LIMIT ? this.#crashes.length : undefined
  }
}
