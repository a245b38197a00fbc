import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './scripts/longest-first.ts'
import { enterPlace } from './scripts/test-place/enter-place.ts'

// Timeouts only end a test that hangs. They are far longer than any test takes, because a busy machine must not fail one.
const shared = {
  setupFiles: ['./scripts/measure-cpu.ts', './scripts/test-place/begin-file.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 150_000 } },
  maxWorkers: 2 * availableParallelism(),
}
/** End-to-end tests spend much of their time waiting for processes, so two cores have time for six files; in a long run, many compute too. */
const waiting = { maxWorkers: 3 * availableParallelism() }
/** Most unit tests compute. They come after the end-to-end tests, except in a long run, which has few of them that take long. */
const computing = { sequence: { groupOrder: 1 } }

enterPlace()

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:long`, which also tries the earlier versions of clients. */
    isLongRun: boolean
  }
}

const UNIT = ['packages/*/src/**', 'scripts/**']
const E2E = ['e2e/**']
/** These change their own process or measure its memory, so each of them has one to itself. */
const ALONE = [
  'e2e/fleet/same-answers.long.test.ts',
  'e2e/hostile/largest-frames.long.test.ts',
  'packages/gateway/src/budget/heap-bytes.test.ts',
  'packages/gateway/src/fleet/fleet.memory.test.ts',
]
/** This one tries the newest versions of clients in `npm test`, and their earlier ones in a long run. */
const VERSIONS = 'e2e/sdk/sdk.test.ts'
/** All that the API promises, which is the same through hearth-seal. */
const API = ['e2e/{catalogue,sdk}/*.test.ts']

// Unit tests beside the code, end-to-end tests that start real processes, and files that need a process of their own. In a long run, the tests
// of the API run with sealed requests too. Files share processes, because loading every module again for each takes longer than most tests.
export default defineConfig(({ mode }) => {
  const isLongRun = mode === 'long'
  const suffix = isLongRun ? '*.long.test.{ts,tsx}' : '*.test.{ts,tsx}'
  const named = (folders: readonly string[]) => folders.map((folder) => `${folder}/${suffix}`)
  const sealed = { ...shared, name: 'sealed', include: API, env: { HEARTH_TEST_SEALED: '1' }, isolate: false }
  const exclude = [...configDefaults.exclude, ...ALONE, ...(isLongRun ? [] : ['**/*.long.test.{ts,tsx}'])]
  const alone = ALONE.filter((file) => file.endsWith('.long.test.ts') === isLongRun)
  return {
    test: {
      provide: { isLongRun },
      sequence: { sequencer: LongestFirst },
      reporters: ['default', './scripts/closing-reporter.ts'],
      projects: [
        {
          test: {
            ...shared,
            ...(!isLongRun && computing),
            name: 'unit',
            include: named(UNIT),
            exclude,
            isolate: false,
          },
        },
        {
          test: {
            ...shared,
            ...(!isLongRun && waiting),
            name: 'e2e',
            include: [...named(E2E), VERSIONS],
            exclude,
            isolate: false,
          },
        },
        { test: { ...shared, ...(!isLongRun && computing), name: 'alone', include: alone } },
        ...(isLongRun ? [{ test: sealed }] : []),
      ],
    },
  }
})
