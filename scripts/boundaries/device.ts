import type { OxlintOverride } from 'oxlint'
import { anyPathTo, boundary, HTTP, TESTS, type Forbidden } from './boundary.ts'

const NETWORK = [...HTTP, 'node:net', 'node:tls']
const LISTENERS: [string, ...string[]] = ['createServer', 'createSecureServer', 'Server', 'WebSocketServer']
const FOR_DEVICE = ['protocol', 'json-schema-grammar', 'model-list', 'instances', 'sealing', 'command-line']

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
  ['outside'],
  ['link', 'energy'],
  ['owner', 'state'],
  ['system', 'watch'],
]

// The same inside each engine.
const LLAMA_LAYERS = [
  'llama-engine.ts',
  'process',
  'run',
  'rendering',
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

export const deviceBoundaries = [
  // Clock, news and the like: used by every layer.
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
    [
      ['@hearth/**', ...FOR_DEVICE.flatMap((name) => [`!@hearth/${name}`, `!@hearth/${name}/**`])],
      `device imports only ${FOR_DEVICE.join(', ')}`,
    ],
    [above.map(anyPathTo), `imports go ${DEVICE_LAYERS.map((names) => names.join(', ')).join(' > ')}`],
    ...more,
  ])
}

function inDevice(name: string): string {
  return `packages/device/src/${name.endsWith('.ts') ? name : `${name}/**`}`
}
