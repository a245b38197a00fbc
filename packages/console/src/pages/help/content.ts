// The pages of docs/ that Help shows, as they were when the console was built. Loaded when Help is first opened or searched.

import { readSections, type HelpSection } from './read-sections.ts'

const FILES = import.meta.glob<string>(
  ['../../../../../docs/{*,clients/*}.md', '!../../../../../docs/{model-list,protocol,words}.md'],
  { query: '?raw', import: 'default', eager: true },
)

/** Pages about the code are left out, and the list of models, which Models shows. */
export const GROUPS: readonly (readonly [title: string, paths: readonly string[]])[] = [
  [
    'Start',
    [
      'quick-start',
      'playground',
      'models',
      'device',
      'local-servers',
      'larger-models',
      'machines',
      'company-networks',
      'first-mac',
    ],
  ],
  ['Connect an app', ['clients', ...clientPages()]],
  ['Use the API', ['interface', 'schemas', 'errors', 'sealed']],
  ['People and security', ['people', 'roles', 'security', 'asvs']],
  ['Run a gateway', ['operate', 'configuration', 'commands', 'metrics', 'which-device', 'recovery', 'scale']],
]

export interface HelpDocument {
  /** Below docs/, without its ending. */
  path: string
  title: string
  sections: readonly HelpSection[]
}

export const PAGES: ReadonlyMap<string, HelpDocument> = new Map(
  GROUPS.flatMap(([, paths]) => paths).map((path) => {
    const sections = readSections(FILES[`../../../../../docs/${path}.md`] ?? '')
    return [path, { path, title: sections[0]?.heading ?? path, sections }]
  }),
)

function clientPages(): string[] {
  return Object.keys(FILES)
    .map((file) => /(clients\/.*)\.md$/.exec(file)?.[1] ?? '')
    .filter((path) => path !== '')
}
