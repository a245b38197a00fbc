import { defineConfig } from 'vitest/config'

// Two projects: unit tests beside the code run side by side; end-to-end tests start real processes and run one file after another.
// Timeouts only end a test that hangs. They are far longer than any test takes, because a busy machine must not fail one.
const TEST_MS = 300_000
const HOOK_MS = 300_000
const expect = { poll: { timeout: 150_000 } }

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          expect,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          expect,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
