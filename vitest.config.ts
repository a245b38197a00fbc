import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Timeouts only end a test that hangs. They are far longer than any test takes, because a busy machine must not fail one.
const TEST_MS = 300_000
const HOOK_MS = 300_000
const expect = { poll: { timeout: 150_000 } }

// End-to-end tests spend much of their time waiting for processes, so even two cores have time for three of them.
const maxWorkers = Math.max(3, availableParallelism())

// Every process that a test starts compiles the same modules.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/hearth/compiled', import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:long`, where soak tests (`*.soak.test.ts`) repeat themselves much more often than in `npm test`. */
    isLongRun: boolean
  }
}

// Two projects: unit tests beside the code, and end-to-end tests that start real processes.
export default defineConfig(({ mode }) => ({
  test: {
    provide: { isLongRun: mode === 'long' },
    reporters: ['default', './scripts/closing-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          expect,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          expect,
          maxWorkers,
        },
      },
    ],
  },
}))
