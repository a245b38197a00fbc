import type { RunCommand } from '../system/run-command.ts'
import type { Meter } from './meter.ts'
import { createNvidiaMeter } from './nvidia.ts'
import { createProcessorMeter } from './rapl.ts'

/** Everything that may measure power here. A Mac lets only root do it. */
export function thisMachinesMeters(platform: NodeJS.Platform, run: RunCommand): Meter[] {
  if (platform === 'linux') return [createProcessorMeter(), createNvidiaMeter(run)]
  return platform === 'win32' ? [createNvidiaMeter(run)] : []
}
