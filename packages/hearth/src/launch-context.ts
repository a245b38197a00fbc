import type { Screen } from './screen.ts'
import type { Parts } from './supervise/parts.ts'

/** Shared by every step of the start. */
export interface LaunchContext {
  parts: Parts
  screen: Screen
}
