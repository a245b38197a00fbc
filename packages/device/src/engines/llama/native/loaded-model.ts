import type { ModelSizing } from '@hearth/protocol'
import type { Memory } from '../../engine.ts'
import type { Native } from './native.ts'

export interface LoadedModel {
  native: Native
  sizing: ModelSizing
  memory: Memory
}
