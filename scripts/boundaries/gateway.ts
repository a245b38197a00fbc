import type { DummyRuleMap } from 'oxlint'
import { anyPathTo, boundary, HTTP, TESTS } from './boundary.ts'

const DATABASE = ['pg', 'pg/**', 'drizzle-orm', 'drizzle-orm/**']

// The way of a request, from the door inwards: a folder imports only what comes after it. Folders of one line may import each other.
const LAYERS = [
  ['main.ts', 'index.ts', 'admin'],
  ['gateway.ts', 'wiring'],
  ['upkeep'],
  ['observe'],
  ['http'],
  ['chat', 'console-api', 'access', 'device-app'],
  ['fleet'],
  ['store'],
  ['budget', 'load', 'chat-template', 'bus', 'local-servers'],
  ['time', 'locks', 'text'],
]

/** Everyone else knows fleet/fleet.ts alone. */
const INSIDE_FLEET = ['**/fleet/**', '!**/fleet/fleet.ts']
const FLEET_DEPTH = LAYERS.findIndex((layer) => layer.includes('fleet'))

// The roles of a gateway know each other by ports/ alone. Each folder of fleet/, with those that it must not know.
const FLEET_FOLDERS: Record<string, string[]> = {
  jobs: ['devices', 'scheduler', 'view', 'peers'],
  devices: ['jobs', 'scheduler', 'view', 'peers'],
  scheduler: ['jobs', 'devices', 'view', 'links'],
  view: ['jobs', 'scheduler/*.ts', 'links'],
  ports: ['jobs', 'devices', 'scheduler', 'view'],
  peers: ['jobs', 'devices', 'scheduler', 'view', 'ports'],
  terms: ['jobs', 'devices', 'scheduler', 'view', 'peers', 'ports'],
}

const layerBoundaries = LAYERS.map((layer, depth) => {
  const above = LAYERS.slice(0, depth).flat()
  const isBeforeFleet = depth < FLEET_DEPTH
  return boundary(
    layer.map(inGateway),
    [...TESTS, '**/simulator/**'],
    [
      [['**/testing/**'], 'tests only'],
      [above.map(anyPathTo), `imports go ${LAYERS.map((names) => names.join(', ')).join(' > ')}`],
      [layer.includes('store') ? [] : DATABASE, 'only store/ knows the database'],
      [layer.includes('http') ? [] : HTTP, 'only http/ knows node:http and ws'],
      [
        isBeforeFleet && !layer.includes('gateway.ts') ? INSIDE_FLEET : [],
        'only fleet/fleet.ts is open to others, and only wiring/open-fleet.ts puts it together',
      ],
    ],
  )
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
        'roles know each other by ports/ alone',
      ],
      [[...DATABASE, ...HTTP], 'only store/ knows the database, only http/ knows node:http and ws'],
    ],
  ),
)

const NO_CLOCK: DummyRuleMap = {
  'no-restricted-globals': ['error', 'Date', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'process'],
  'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
}

export const gatewayBoundaries = [
  ...layerBoundaries,
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
        ['node:*', 'ws', '**/jobs/**', '**/devices/**', '**/peers/**', '**/ports/**', '**/view/**', ...DATABASE],
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
]

function inGateway(name: string): string {
  return `packages/gateway/src/${name.endsWith('.ts') ? name : `${name}/**`}`
}
