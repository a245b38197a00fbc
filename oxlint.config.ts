// Lint rules, with the import boundaries of ARCHITECTURE.md. Of several overrides that match a file the last one counts alone.

import { defineConfig } from 'oxlint'
import { boundary, HTTP, TESTS } from './scripts/boundaries/boundary.ts'
import { consoleBoundaries } from './scripts/boundaries/console.ts'
import { deviceBoundaries } from './scripts/boundaries/device.ts'
import { gatewayBoundaries } from './scripts/boundaries/gateway.ts'

/** Code that finds its way through tables by number, where a check of every step would cost time and say nothing. */
const NUMBER_TABLES = [
  'packages/json-schema-grammar/src/{language,grammar,follow,items}/**',
  'packages/device/src/engines/llama/{decode,native}/**',
  'packages/gateway/src/fleet/scheduler/core/**',
  'packages/gateway/src/fleet/devices/open-attempts.ts',
  'packages/gateway/src/fleet/simulator/**',
  'packages/gateway/src/time/ranked-heap.ts',
]

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['**/node_modules/**', 'packages/console/built/**', '**/schema.d.ts'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    // Advice: what may not grow is the number of product lines (`npm run structure`).
    'max-lines': ['warn', { max: 300 }],
    'max-lines-per-function': ['warn', { max: 40 }],
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    // A switch over a union lists every case: with only a `default`, a new one would be handled by accident.
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'import/no-unassigned-import': 'off',
    // TypeScript looks, and knows what the bundler makes of `?worker`.
    'import/default': 'off',
    'import/no-named-as-default-member': 'off',
  },
  overrides: [
    {
      // One suite of tests is one function, and a test knows what it has put there.
      files: [...TESTS, '**/contract/**', '**/stage.ts', 'e2e/**', 'bench/**', 'truth/**'],
      rules: { 'max-lines': 'off', 'max-lines-per-function': 'off', 'typescript/no-non-null-assertion': 'off' },
    },
    { files: NUMBER_TABLES, rules: { 'typescript/no-non-null-assertion': 'off' } },
    boundary(['packages/protocol/src/**'], TESTS, [
      [['@hearth/**', 'node:*', 'ws'], 'protocol has no I/O and imports nothing of ours'],
    ]),
    boundary(
      ['packages/json-schema-grammar/src/**'],
      ['**/*.test.ts'],
      [[['@hearth/**', 'node:*'], 'a schema becomes a grammar without I/O, and without any other package of ours']],
    ),
    boundary(
      ['packages/json-schema-grammar/src/**/*.test.ts'],
      [],
      [[['@hearth/**'], 'this package is for others too, and its tests go with it']],
    ),
    boundary(['packages/password-rules/src/**'], TESTS, [
      [['@hearth/**', 'node:*'], 'browsers run it too: no I/O, and no other package of ours'],
    ]),
    boundary(['packages/model-list/src/**'], TESTS, [
      [
        ['@hearth/**', '!@hearth/command-line/format', 'node:*'],
        'the list is data: no I/O, and no other package of ours',
      ],
    ]),
    boundary(['packages/instances/src/**'], TESTS, [
      [
        [
          '@hearth/**',
          '!@hearth/command-line/files/**',
          '!@hearth/command-line/present',
          '!@hearth/command-line/errors',
          '!@hearth/sealing/fields',
        ],
        'every command may ask which Hearth is here, so this package imports nothing of ours but how files are read and written, and errors for people',
      ],
    ]),
    boundary(['packages/chat/src/**'], TESTS, [
      [['@hearth/**', '!@hearth/protocol'], 'chat imports nothing of ours but the protocol'],
      [HTTP, 'only http/ knows node:http'],
    ]),
    boundary(['packages/chat/src/http/**'], TESTS, [
      [['@hearth/**', '!@hearth/protocol', 'ws'], 'chat imports nothing of ours but the protocol'],
    ]),
    boundary(['packages/sealing/src/**'], TESTS, [
      [
        ['@hearth/**', 'node:*', '!node:crypto', '!node:buffer'],
        'sealing is cryptography: no I/O, and no other package of ours',
      ],
    ]),
    boundary(['packages/command-line/src/**'], TESTS, [
      [
        ['@hearth/**', '!@hearth/sealing', '!@hearth/sealing/**'],
        "what programs on people's own machines share imports only what says whom to trust",
      ],
    ]),
    boundary(['packages/seal/src/**'], TESTS, [
      [
        ['@hearth/gateway', '@hearth/gateway/**', '@hearth/device', '@hearth/device/**'],
        'what both need is in a package of its own',
      ],
    ]),
    {
      // `then` is a keyword of JSON Schema.
      files: ['packages/json-schema-grammar/src/**', 'truth/**'],
      rules: { 'unicorn/no-thenable': 'off' },
    },
    {
      files: ['packages/console/src/**'],
      env: { browser: true },
      rules: {
        // The build imports the JSX runtime by itself.
        'react/react-in-jsx-scope': 'off',
        // These protect code that React Compiler rewrites; this build does not use it.
        'react/refs': 'off',
        'react/purity': 'off',
        // axe wants regions that scroll to be reachable by keyboard.
        'jsx-a11y/no-noninteractive-tabindex': 'off',
        // On a phone, CSS turns tables into cards, and browsers then drop the built-in roles.
        'jsx-a11y/no-redundant-roles': 'off',
        'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off',
        // A click outside closes a dialog, and Escape closes a form; the keyboard has other ways to do the same.
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
        // Used only where one field is the whole point of the page.
        'jsx-a11y/no-autofocus': 'off',
        // role="status" on a <div> is announced by more screen readers than <output> is.
        'jsx-a11y/prefer-tag-over-role': 'off',
      },
    },
    ...deviceBoundaries,
    ...consoleBoundaries,
    ...gatewayBoundaries,
  ],
})
