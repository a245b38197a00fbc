// A cache that keeps only the window of windowed layers can't go back further than that, but the library says that it did, and computes with
// what is missing. So removing tokens fails here if the window before them is gone, and the slot starts over.

import type { LlamaContext } from 'node-llama-cpp'
import type { NativeContext } from './native.ts'

type WindowedContext = Pick<NativeContext, 'removeTokenCellsFromSequence'> & {
  /** The first position that all layers still have; -1 if the slot is empty. */
  getSequenceKvCacheMinPosition(slot: number): number
}

export function guardWindow(context: LlamaContext, window: number): void {
  guard(Reflect.get(context, '_ctx') as WindowedContext, window)
}

export function guard(context: WindowedContext, window: number): void {
  const remove = context.removeTokenCellsFromSequence.bind(context)
  context.removeTokenCellsFromSequence = (slot, from, to) =>
    context.getSequenceKvCacheMinPosition(slot) <= Math.max(0, from - window) && remove(slot, from, to)
}
