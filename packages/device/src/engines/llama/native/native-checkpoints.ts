// Checkpoints in node-llama-cpp, for models whose memory can't forget just any tokens. Like native.ts, it relies on internals of the library,
// which are checked there.

import type { LlamaContext, LlamaModel } from 'node-llama-cpp'

/** Copies of the part of a slot's state that can't be trimmed. Like the context, not reentrant. */
export interface NativeCheckpoints {
  /** Whether layers keep only a window of tokens. A pending copy would then overwrite what was restored. */
  readonly hasWindow: boolean
  /** Whether the slot can forget all but its first `length` tokens even so: a window may still have what it needs. */
  canTrim(slot: number, length: number): boolean
  take(slot: number): Promise<NativeCheckpoint>
  /**
   * Takes the slot back to the checkpoint. The slot, or the one it was copied from, must still hold the same tokens up to there. False if
   * that failed; then dispose the whole slot.
   */
  restore(checkpoint: NativeCheckpoint, slot: number): Promise<boolean>
}

export interface NativeCheckpoint {
  readonly bytes: number
  /** The number of tokens that it was taken after. */
  readonly length: number
  dispose(): void
}

export interface CheckpointBindings {
  AddonContextSequenceCheckpoint: new () => NativeState
}

interface NativeState {
  init(context: object, slot: number): Promise<void>
  readonly size: number
  /** The position of the last token. */
  readonly maxPos: number
  dispose(): void
}

interface RestoringContext {
  restoreCheckpoint(state: NativeState, lastPosition: number, slot: number): Promise<boolean>
  getSequenceKvCacheMinPosition(slot: number): number
}

/** Undefined if all layers keep all tokens. */
export function findCheckpoints(
  { AddonContextSequenceCheckpoint: State }: CheckpointBindings,
  { fileInsights: { isHybrid, isRecurrent, swaSize = 0 } }: LlamaModel,
  context: LlamaContext,
): NativeCheckpoints | undefined {
  const window = Reflect.get(context, '_swaFullCache') === true ? 0 : swaSize
  if (!isHybrid && !isRecurrent && window === 0) return undefined
  return toCheckpoints(State, Reflect.get(context, '_ctx') as RestoringContext, window)
}

function toCheckpoints(State: new () => NativeState, context: RestoringContext, window: number): NativeCheckpoints {
  const states = new WeakMap<NativeCheckpoint, NativeState>()
  return {
    hasWindow: window > 0,
    canTrim(slot, length) {
      if (window === 0) return false
      const first = context.getSequenceKvCacheMinPosition(slot)
      return first === 0 || first < length - window
    },
    async take(slot) {
      const state = new State()
      await state.init(context, slot)
      const checkpoint = { bytes: state.size, length: state.maxPos + 1, dispose: () => state.dispose() }
      states.set(checkpoint, state)
      return checkpoint
    },
    async restore(checkpoint, slot) {
      const state = states.get(checkpoint)
      return state !== undefined && context.restoreCheckpoint(state, checkpoint.length - 1, slot)
    },
  }
}
