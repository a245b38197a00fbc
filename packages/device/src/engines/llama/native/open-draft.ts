// Loads a draft beside a model: a small model with the same vocabulary that guesses for it. Whatever is wrong with the draft, the model is
// served without it.

import type { Llama } from 'node-llama-cpp'
import { describeError } from '@hearth/command-line/errors'
import { MOST_TOKENS_APART } from '../plan/draft-room.ts'
import { draftArrangement, draftNeed, type Arrangement } from '../plan/memory-need.ts'
import type { DraftPlan, PlannedDraft } from '../plan/plan-draft.ts'
import { toLibrary } from './fit-model.ts'
import type { LoadedModel } from './loaded-model.ts'
import { toNative, type DraftModel, type Native, type Vocabulary } from './native.ts'

interface OpenedDraft {
  model: DraftModel
  memory: { ram: number; gpu: number }
  dispose: () => Promise<void>
}

const OTHER_WORDS = 'it has another vocabulary → choose a small model of the same family'

/** The loaded model with its draft, or with a warning that says why it has none. */
export async function withDraft(
  loaded: LoadedModel,
  plan: DraftPlan,
  open: (planned: PlannedDraft) => Promise<OpenedDraft>,
): Promise<LoadedModel> {
  if (plan.kind === 'none') return loaded
  if (plan.kind === 'left-out') return { ...loaded, warning: warningOf(plan.name, plan.why) }
  try {
    const draft = await open(plan)
    const { ram, gpu } = loaded.memory
    const memory = { ram: ram + draft.memory.ram, gpu: gpu + draft.memory.gpu }
    return { ...loaded, memory, native: joined(loaded.native, draft) }
  } catch (error) {
    return { ...loaded, warning: warningOf(plan.name, describeError(error)) }
  }
}

function warningOf(name: string, why: string): string {
  return `can't use ${name} as a draft: ${why}`
}

function joined(native: Native, { model, dispose }: OpenedDraft): Native {
  return {
    ...native,
    draft: model,
    async dispose() {
      await dispose()
      await native.dispose()
    },
  }
}

/** Throws an error that says what is wrong with the draft. */
export async function openDraft(
  llama: Llama,
  { path, shape }: PlannedDraft,
  native: Native,
  given: Arrangement,
  signal: AbortSignal,
): Promise<OpenedDraft> {
  if (native.checkpointing !== undefined)
    throw new Error("the model keeps only a window of its tokens, and can't use one")
  const arrangement = draftArrangement(shape, given)
  const { gpuLayers } = arrangement
  const safe = { ignoreMemorySafetyChecks: true }
  const model = await llama.loadModel({ modelPath: path, loadSignal: signal, gpuLayers, useMmap: true, ...safe })
  try {
    const context = await model.createContext({
      ...toLibrary(arrangement),
      createSignal: signal,
      failedCreationRemedy: false,
      ...safe,
    })
    const draft = toNative(llama, model, context, 0)
    if (countDifferent(native.vocabulary, draft.vocabulary) > MOST_TOKENS_APART) throw new Error(OTHER_WORDS)
    const sharedTokens = Math.min(native.vocabulary.size, draft.vocabulary.size)
    const { ram, gpu } = draftNeed(shape, given)
    return { model: { ...draft, sharedTokens }, memory: { ram, gpu }, dispose: () => draft.dispose() }
  } catch (error) {
    await model.dispose()
    throw error
  }
}

/** Of tokens with the same number. A wrong guess costs only time, so a few are no harm. */
export function countDifferent(one: Vocabulary, other: Vocabulary): number {
  const shared = Math.min(one.size, other.size)
  let different = Math.abs(one.size - other.size)
  for (let token = 0; token < shared && different <= MOST_TOKENS_APART; token++)
    if (one.text(token) !== other.text(token)) different++
  return different
}
