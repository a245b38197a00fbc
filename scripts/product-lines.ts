// How many lines the product has, by what they are for. Tests, contracts, simulators and generated files don't count.

/** Folders of packages/. The first line that has a file counts. */
const CAPABILITIES: readonly (readonly [capability: string, ...paths: string[]])[] = [
  ['fleet', 'gateway/src/fleet', 'gateway/src/bus', 'gateway/src/local-servers'],
  ['database', 'gateway/src/store', 'gateway/src/locks'],
  ['people', 'gateway/src/access', 'gateway/src/admin', 'password-rules'],
  ['console API', 'gateway/src/console-api'],
  ['console', 'console'],
  ['watching', 'gateway/src/observe', 'device/src/energy'],
  [
    'installing',
    'command-line',
    'device/src/install',
    'device/src/service',
    'seal/src/install',
    'gateway/src/device-app',
  ],
  ['API', 'chat', 'gateway'],
  ['schemas', 'json-schema-grammar'],
  ['engine', 'device/src/engines', 'device/src/gpu'],
  ['models on disk', 'device/src/models', 'device/src/remote-models', 'model-list'],
  ['sealing', 'seal', 'sealing', 'device/src/jobs/sealed'],
  ['link to devices', 'protocol', 'device/src/link', 'device/src/jobs'],
  ['device app', 'device'],
  ['hearth', 'hearth', 'instances'],
]

const NOT_PRODUCT = /\.(test|long)\.|\.contract\.|\/contract\/|\/testing\/|\/simulator\/|schema\.d\.ts|\/migrations\//

export interface Lines {
  capability: string
  lines: number
}

export function isProduct(path: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.(ts|tsx|css)$/.test(path) && !NOT_PRODUCT.test(path)
}

/** The largest first. */
export function countByCapability(sources: ReadonlyMap<string, string>): Lines[] {
  const product = [...sources].filter(([path]) => isProduct(path))
  return [...Map.groupBy(product, ([path]) => capabilityOf(path))]
    .map(([capability, files]) => ({ capability, lines: sum(files.map(([, text]) => linesOf(text))) }))
    .toSorted((a, b) => b.lines - a.lines)
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function capabilityOf(path: string): string {
  const found = CAPABILITIES.find(([, ...paths]) => paths.some((start) => isBelow(path, start)))
  return found?.[0] ?? 'everything else'
}

function isBelow(path: string, start: string): boolean {
  return path.startsWith(`packages/${start}/`)
}

/** As `wc -l` counts them. */
function linesOf(text: string): number {
  return text.split('\n').length - 1
}
