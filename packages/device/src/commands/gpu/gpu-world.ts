// The machine as the `gpu` commands see it. Replaced in tests.

import { runTrial } from '../../engines/llama/process/run-trial.ts'
import type { LadderOptions } from '../../gpu/ladder.ts'
import type { Machine } from '../../gpu/detect-gpu.ts'
import { followCommand, type FollowCommand } from '../../system/follow-command.ts'
import { runCommand, type RunCommand } from '../../system/run-command.ts'

export interface GpuWorld {
  machine: Machine
  run: RunCommand
  follow: FollowCommand
  trial: LadderOptions['trial']
  root?: string
}

export const GPU_WORLD: GpuWorld = {
  machine: { platform: process.platform, arch: process.arch },
  run: runCommand,
  follow: followCommand,
  trial: runTrial,
}
