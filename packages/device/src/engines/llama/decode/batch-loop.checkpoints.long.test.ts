import { createChance, type Chance } from '@hearth/json-schema-grammar/testing'
import { describe, it, onTestFinished } from 'vitest'
import type { Native, Token } from '../native/native.ts'
import { expectGreedy } from '../testing/expect-greedy.ts'
import { startGreedy, type GreedyRun } from '../testing/greedy-generation.ts'
import { loadRandomModel } from '../testing/load-random-model.ts'
import { HYBRIDS } from '../testing/random-models.ts'
import { BatchLoop } from './batch-loop.ts'
import { createCheckpoints } from './slots/checkpoints.ts'

const ROUNDS = 30
const [SLOTS, CONTEXT, TOKENS] = [3, 2048, 4]

/** Conversations that share beginnings, go back and branch. */
function makePrompts({ vocabulary }: Native, chance: Chance): Token[][] {
  const words = ['Paris ', 'Rome ', 'Oslo ', 'Lima ']
  const message = (role: string, times: number) =>
    vocabulary.tokenize(`<|im_start|>${role}\n${words[chance.below(4)]!.repeat(times)}<|im_end|>\n`, true)
  const histories = [message('system', 300)]
  return Array.from({ length: ROUNDS * SLOTS }, () => {
    const history = histories[chance.below(histories.length)]!
    const asked = [...history, ...message('user', 1 + chance.below(150))]
    if (asked.length < CONTEXT / 2) histories.push([...asked, ...message('assistant', 1 + chance.below(40))])
    return [...asked, ...vocabulary.tokenize('<|im_start|>assistant\n<think>\n', true)]
  })
}

describe('a loop with checkpoints', () => {
  it.each([...HYBRIDS, 'gemma3'] as const)('writes the likeliest tokens, whatever came before (%s)', async (name) => {
    const { native, release } = await loadRandomModel(name, SLOTS, CONTEXT)
    onTestFinished(release)
    const chance = createChance(7)
    const prompts = makePrompts(native, chance)
    // Enough for some of the checkpoints, so that others are dropped.
    const loop = new BatchLoop(native.context, {
      ...native,
      checkpoints: createCheckpoints(native, { bytes: 60_000 }),
    })
    const written: GreedyRun[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const wave = Array.from({ length: SLOTS }, (_, index) => round * SLOTS + index)
      const runs = wave.map((index) => startGreedy(native, loop, prompts[index]!, { count: TOKENS }))
      const canceled = startGreedy(native, loop, prompts[chance.below(prompts.length)]!)
      canceled.onPrompt = () => loop.cancel(canceled)
      await Promise.all([...runs, canceled].map(({ ended }) => ended))
      written.push(...runs)
    }
    for (const run of written) await expectGreedy(native, run)
  })
})
