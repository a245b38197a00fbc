// Starts the longest test files first, so that no core waits for one of them at the end of a run. A fresh clone remembers no times, and
// vitest would begin with the largest files then.

import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** As the list of slowest files at the end of a run shows them. What is missing here only starts later. */
const LONGEST = [
  'packages/gateway/src/fleet/simulator/simulate.long.test.ts',
  'e2e/faults/real-continued-replies.long.test.ts',
  'packages/device/src/engines/llama/decode/sampling/sampler.grammars.long.test.ts',
  'e2e/real/on-demand.long.test.ts',
  'e2e/launcher/killed-parts.long.test.ts',
  'e2e/console/pictures/pictures.long.test.ts',
  'e2e/launcher/hung-parts.long.test.ts',
  'e2e/launcher/one-installation.long.test.ts',
  'e2e/fuzz/fuzz.long.test.ts',
  'e2e/hostile/slow-attacks.long.test.ts',
  'packages/device/src/engines/llama/decode/batch-loop.checkpoints.long.test.ts',
  'packages/device/src/engines/llama/run/constraints.long.test.ts',
  'packages/gateway/src/store/embedded/embedded.long.test.ts',
  'packages/gateway/src/console-api/console-api.cross-organization.long.test.ts',
  'e2e/launcher/killed-gateways.long.test.ts',
  'e2e/console/organization.test.ts',
  'e2e/console/playground.test.ts',
  'e2e/launcher/launcher.test.ts',
  'e2e/docs/run.test.ts',
  'e2e/console/fleet.test.ts',
  'e2e/fleet/several-gateways.test.ts',
  'packages/device/src/engines/llama/llama-engine.test.ts',
  'packages/device/src/engines/llama/process/host-process.hostile-template.test.ts',
  'packages/gateway/src/store/embedded/embedded.test.ts',
  'packages/gateway/src/store/backup/backup.test.ts',
  'packages/gateway/src/fleet/simulator/simulate.test.ts',
  'packages/gateway/src/store/store.test.ts',
  'packages/gateway/src/store/embedded/account.test.ts',
]

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => this.#place(a) - this.#place(b))
  }

  #place({ moduleId }: TestSpecification): number {
    const place = LONGEST.indexOf(relative(this.ctx.config.root, moduleId))
    return place === -1 ? LONGEST.length : place
  }
}
