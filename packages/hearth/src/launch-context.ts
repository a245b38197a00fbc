import type { Screen } from './screen.ts'
import type { Parts } from './supervise/parts.ts'

/** What every step of the start needs. */
export interface LaunchContext {
  parts: Parts
  screen: Screen
}
