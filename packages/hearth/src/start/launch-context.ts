import type { LogFile } from '@hearth/device'
import type { Screen } from '../terminal/screen.ts'
import type { Parts } from '../supervise/parts.ts'

/** Shared by every step of the start. */
export interface LaunchContext {
  parts: Parts
  screen: Screen
  log: LogFile
}
