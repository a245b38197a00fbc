// Lint rules, and the import boundaries of ARCHITECTURE.md. Of several overrides that match a file the last one counts alone.

import { defineConfig, type DummyRuleMap, type OxlintOverride } from 'oxlint'

const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/*.contract.ts', '**/testing/**']
const HTTP = ['node:http', 'node:https', 'node:http2', 'ws']
const NETWORK = [...HTTP, 'node:net', 'node:tls']
const LISTENERS: [string, ...string[]] = ['createServer', 'createSecureServer', 'Server', 'WebSocketServer']
const NOT_FOR_DEVICE = ['@hearth/**', '!@hearth/protocol', '!@hearth/json-schema-grammar', '!@hearth/model-list']
const DATABASE = ['pg', 'pg/**', 'drizzle-orm', 'drizzle-orm/**', '@electric-sql/**']

// The way of a request, from the door inwards: a folder imports only what comes after it. Folders of one line may import each other.
const LAYERS = [
  ['main.ts', 'index.ts', 'admin'],
  ['gateway.ts', 'wiring'],
  ['observe'],
  ['http'],
  ['chat', 'console-api', 'access', 'device-app'],
  ['fleet'],
  ['store'],
  ['json', 'budget', 'load', 'chat-template', 'bus', 'local-servers'],
  ['time', 'locks', 'text'],
]

/** Everyone else knows fleet/fleet.ts alone. */
const INSIDE_FLEET = ['**/fleet/**', '!**/fleet/fleet.ts']
const FLEET_DEPTH = LAYERS.findIndex((layer) => layer.includes('fleet'))

// The roles of a gateway talk in messages. Each folder of fleet/, with those that it must not know.
const FLEET_FOLDERS: Record<string, string[]> = {
  front: ['home', 'scheduler', 'view', 'peers', 'peer-link'],
  home: ['front', 'scheduler', 'view', 'peers', 'peer-link'],
  scheduler: ['front', 'home', 'view', 'peer-link'],
  view: ['front', 'scheduler/*.ts', 'peers', 'peer-link'],
  peers: ['front', 'home', 'scheduler', 'view', 'peer-link'],
  'peer-link': ['front', 'home', 'scheduler', 'view', 'peers'],
  terms: ['front', 'home', 'scheduler', 'view', 'peers', 'peer-link'],
}

const gatewayBoundaries = LAYERS.map((layer, depth) => {
  const above = LAYERS.slice(0, depth).flat()
  const isBeforeFleet = depth < FLEET_DEPTH
  return boundary(layer.map(inGateway), TESTS, [
    [['**/testing/**'], 'tests only'],
    [above.map(anyPathTo), `imports go ${LAYERS.map((names) => names.join(', ')).join(' > ')}`],
    [layer.includes('store') ? [] : DATABASE, 'only store/ knows the database'],
    [layer.includes('http') ? [] : HTTP, 'only http/ knows node:http and ws'],
    [
      isBeforeFleet && !layer.includes('gateway.ts') ? INSIDE_FLEET : [],
      'only fleet/fleet.ts is open to others, and only wiring/open-fleet.ts puts it together',
    ],
  ])
})

const fleetBoundaries = Object.entries(FLEET_FOLDERS).map(([folder, unknown]) =>
  boundary(
    [`packages/gateway/src/fleet/${folder}/**`],
    [...TESTS, '**/simulator/**'],
    [
      [['**/testing/**'], 'tests only'],
      [LAYERS.slice(0, FLEET_DEPTH).flat().map(anyPathTo), 'a layer imports only what is below it'],
      [
        unknown.map((name) => (name.endsWith('.ts') ? `**/fleet/${name}` : `../**/${name}/**`)),
        'roles talk in messages',
      ],
      [[...DATABASE, ...HTTP], 'only store/ knows the database, only http/ knows node:http and ws'],
    ],
  ),
)

// The path of a job through the device, from the command line inward: a folder imports only from the lines after its own.
const DEVICE_LAYERS = [
  ['main.ts', 'index.ts'],
  ['commands'],
  ['app', 'install'],
  ['settings', 'terminal'],
  ['device.ts'],
  ['jobs'],
  ['serving', 'web-search', 'remote-models'],
  ['engines'],
  ['models', 'gpu'],
  ['link'],
  ['owner', 'service', 'state'],
  ['system'],
]

// The same inside each engine.
const LLAMA_LAYERS = [
  'llama-engine.ts',
  'process',
  'run',
  'families',
  'reply',
  'tools',
  'template',
  'decode',
  'native',
  'plan',
  'llama-options.ts',
]
const SERVER_LAYERS = [
  'openai-server-engine.ts',
  'probe-table.ts',
  'server-watch.ts',
  'run',
  'probe',
  'reply',
  'request',
  'server',
  'http',
]

const deviceBoundaries = [
  // Clock, errors, news and the like: used by every layer.
  deviceBoundary(['packages/device/src/*.ts'], DEVICE_LAYERS.flat()),
  ...DEVICE_LAYERS.flatMap((layer, depth) =>
    layer.map((name) => {
      const others = layer.filter((other) => other !== name)
      return deviceBoundary([inDevice(name)], [...DEVICE_LAYERS.slice(0, depth).flat(), ...others])
    }),
  ),
  ...SERVER_LAYERS.map((name, depth) =>
    deviceBoundary(
      [inDevice(`engines/openai-server/${name}`)],
      [...aboveEngines(), 'llama', ...SERVER_LAYERS.slice(0, depth)],
    ),
  ),
  ...LLAMA_LAYERS.map((name, depth) =>
    deviceBoundary(
      [inDevice(`engines/llama/${name}`)],
      [...aboveEngines(), 'link', 'openai-server', ...LLAMA_LAYERS.slice(0, depth)],
      [
        [NETWORK, 'an engine computes and knows no network'],
        [name === 'native' ? [] : ['node-llama-cpp'], 'only native/ knows the engine library'],
      ],
    ),
  ),
]

const NO_CLOCK: DummyRuleMap = {
  'no-restricted-globals': ['error', 'Date', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'process'],
  'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
}

function aboveEngines(): string[] {
  return DEVICE_LAYERS.slice(
    0,
    DEVICE_LAYERS.findIndex((layer) => layer.includes('engines')),
  ).flat()
}

function deviceBoundary(
  files: string[],
  above: string[],
  more: Forbidden[] = [
    [['node-llama-cpp'], 'only engines/llama/native/ knows the engine library'],
    [NETWORK, 'the device dials out and never listens', LISTENERS],
  ],
): OxlintOverride {
  return boundary(files, TESTS, [
    [['**/testing/**'], 'tests only'],
    [NOT_FOR_DEVICE, 'device imports only protocol, json-schema-grammar and model-list'],
    [above.map(anyPathTo), `imports go ${DEVICE_LAYERS.map((names) => names.join(', ')).join(' > ')}`],
    ...more,
  ])
}

// From the address to the plumbing: a folder imports only what comes after it.
const CONSOLE_LAYERS = ['main.tsx', 'routes.tsx', 'shell', 'pages', 'session', 'parts', 'api', 'lib']

/** Libraries that are loaded with the one page that needs them. */
const PAGE_LIBRARIES = { usage: ['recharts'], playground: ['react-markdown', 'remark-gfm'] }

const consoleBoundaries = [
  ...CONSOLE_LAYERS.filter((layer) => layer !== 'pages').map((layer) => consoleBoundary([inConsole(layer)], layer)),
  ...pageBoundaries('*'),
  ...pageBoundaries('usage'),
  ...pageBoundaries('playground'),
]

/** A page's own files, and those in its folders. For each, the imports that would leave the page. */
function pageBoundaries(page: keyof typeof PAGE_LIBRARIES | '*'): OxlintOverride[] {
  const folder = `packages/console/src/pages/${page}`
  return [
    consoleBoundary([`${folder}/*`], 'pages', page, ['../[a-z]*/**']),
    consoleBoundary([`${folder}/*/*`], 'pages', page, ['../../[a-z]*/**']),
  ]
}

function consoleBoundary(files: string[], layer: string, page = '*', otherPages: string[] = []): OxlintOverride {
  const above = CONSOLE_LAYERS.slice(0, CONSOLE_LAYERS.indexOf(layer))
  const { usage, playground } = PAGE_LIBRARIES
  return boundary(files, TESTS, [
    [['@hearth/**', 'node:*'], 'the console knows the gateway by its OpenAPI description only'],
    [above.map(anyPathTo), `imports go ${CONSOLE_LAYERS.join(' > ')}`],
    [otherPages, 'a page imports no other page: share through parts/ or session/'],
    [layer === 'parts' ? ['**/api/**'] : [], 'parts show what they are given and call nothing'],
    [page === 'usage' ? [] : usage, 'only pages/usage/ draws charts, so that other pages load faster'],
    [page === 'playground' ? [] : playground, 'only pages/playground/ shows Markdown, so that other pages load faster'],
  ])
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['**/node_modules/**', '**/dist/**', '**/schema.d.ts'],
  rules: {
    'import/no-cycle': 'error',
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
    'import/no-named-as-default-member': 'off',
  },
  overrides: [
    boundary(['packages/protocol/src/**'], TESTS, [
      [['@hearth/**', 'node:*', 'ws'], 'protocol has no I/O and imports nothing of ours'],
    ]),
    boundary(['packages/json-schema-grammar/src/**'], TESTS, [
      [['@hearth/**', 'node:*'], 'a schema becomes a grammar without I/O, and without any other package of ours'],
    ]),
    boundary(['packages/model-list/src/**'], TESTS, [
      [['@hearth/**', 'node:*'], 'the list is data: no I/O, and no other package of ours'],
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
    ...fleetBoundaries,
    boundary(
      ['packages/gateway/src/*.ts'],
      [...TESTS, '**/main.ts', '**/gateway.ts', '**/index.ts'],
      [
        [LAYERS.flat().map(anyPathTo), 'what every layer uses knows none of them'],
        [[...DATABASE, ...HTTP], 'only store/ knows the database, only http/ knows node:http and ws'],
      ],
    ),
    boundary(
      ['packages/gateway/src/fleet/scheduler/core/**'],
      TESTS,
      [
        [
          ['node:*', 'ws', '**/front/**', '**/home/**', '**/peers/**', '**/peer-link/**', '**/view/**', ...DATABASE],
          'the core is pure and knows no gateways: reports in, decisions out',
        ],
      ],
      NO_CLOCK,
    ),
    boundary(
      ['packages/gateway/src/fleet/peers/core/**'],
      TESTS,
      [[['node:*', 'ws', ...DATABASE], 'the core is pure: outcomes in, decisions out']],
      NO_CLOCK,
    ),
  ],
})

function inGateway(name: string): string {
  return `packages/gateway/src/${name.endsWith('.ts') ? name : `${name}/**`}`
}

function inDevice(name: string): string {
  return `packages/device/src/${name.endsWith('.ts') ? name : `${name}/**`}`
}

function inConsole(name: string): string {
  return `packages/console/src/${/\.tsx?$/.test(name) ? name : `${name}/**`}`
}

function anyPathTo(name: string): string {
  return /\.tsx?$/.test(name) ? `**/${name}` : `**/${name}/**`
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
