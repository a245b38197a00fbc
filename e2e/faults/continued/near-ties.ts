// Where two tokens are almost equally likely, the last bits of the model's numbers decide, and they depend on how many tokens are computed
// at once: a device that continues a reply reads all of it in one go. So a text may differ from the undisturbed one there, and only there.

import type { LogprobsBody } from '../../harness/reply-shapes.ts'

interface Step {
  /** Where the token begins in the text. */
  from: number
  token: string
  logprob: number
  alternatives: readonly { token: string; logprob: number }[]
}

export class NearTies {
  readonly #steps: readonly Step[]

  constructor(logprobs: LogprobsBody | null | undefined) {
    let from = 0
    this.#steps = (logprobs?.content ?? []).map(({ token, logprob, top_logprobs }) => {
      const step = { from, token, logprob, alternatives: top_logprobs }
      from += token.length
      return step
    })
  }

  /** By how much the token of the first text was likelier where the second differs from it; undefined if that isn't known. */
  gapBetween(expected: string, found: string): number | undefined {
    let at = 0
    while (at < expected.length && expected[at] === found[at]) at++
    const step = this.#steps.findLast(({ from }) => from <= at)
    if (step === undefined) return undefined
    const rest = found.slice(step.from)
    const others = step.alternatives.filter(
      ({ token }) => token !== step.token && token !== '' && rest.startsWith(token),
    )
    const longest = others.toSorted((one, other) => other.token.length - one.token.length)[0]
    return longest && Math.abs(step.logprob - longest.logprob)
  }
}
