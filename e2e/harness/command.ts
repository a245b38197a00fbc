// What `npm run faults`, `chaos` and `operations` share.

import { fileURLToPath } from 'node:url'
import { endWithThisProcess } from '../../scripts/test-place/end-with-this-process.ts'

const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/hearth/compiled', import.meta.url))

/** Every process that is started compiles the same modules, and all of them end with this one. */
export function beginCommand(end: () => Promise<unknown> = () => Promise.resolve()): void {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED
  endWithThisProcess()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)))
}

/** As Markdown writes it. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
