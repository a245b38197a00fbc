import type { OxlintOverride } from 'oxlint'
import { anyPathTo, boundary, TESTS } from './boundary.ts'

// From the address to the plumbing: a folder imports only what comes after it.
const CONSOLE_LAYERS = ['main.tsx', 'routes.tsx', 'shell', 'pages', 'session', 'parts', 'api', 'lib']

/** Libraries that only one folder uses, so that pages without it load faster. */
const OWN_LIBRARIES = { usage: ['recharts'], markdown: ['markdown-it'] }

export const consoleBoundaries = [
  ...CONSOLE_LAYERS.filter((layer) => layer !== 'pages').map((layer) => consoleBoundary([inConsole(layer)], layer)),
  ...pageBoundaries('*'),
  ...pageBoundaries('usage'),
  consoleBoundary(['packages/console/src/parts/markdown/*'], 'parts', 'markdown'),
]

/** A page's own files, and those in its folders. For each, the imports that would leave the page. */
function pageBoundaries(page: 'usage' | '*'): OxlintOverride[] {
  const folder = `packages/console/src/pages/${page}`
  return [
    consoleBoundary([`${folder}/*`], 'pages', page, ['../[a-z]*/**']),
    consoleBoundary([`${folder}/*/*`], 'pages', page, ['../../[a-z]*/**']),
  ]
}

function consoleBoundary(files: string[], layer: string, owner = '*', otherPages: string[] = []): OxlintOverride {
  const above = CONSOLE_LAYERS.slice(0, CONSOLE_LAYERS.indexOf(layer))
  const { usage, markdown } = OWN_LIBRARIES
  return boundary(files, TESTS, [
    [
      [
        '@hearth/**',
        '!@hearth/password-rules',
        '!@hearth/password-rules/bounds',
        '!@hearth/model-list',
        '!@hearth/command-line/format',
        'node:*',
      ],
      'the console knows the gateway by its OpenAPI description only; it judges new passwords and the speed of models, and shows numbers, as the others do',
    ],
    [above.map(anyPathTo), `imports go ${CONSOLE_LAYERS.join(' > ')}`],
    [otherPages, 'a page imports no other page: share through parts/ or session/'],
    [layer === 'parts' ? ['**/api/**'] : [], 'parts show what they are given and call nothing'],
    [owner === 'usage' ? [] : usage, 'only pages/usage/ draws charts, so that other pages load faster'],
    [owner === 'markdown' ? [] : markdown, 'only parts/markdown/ shows Markdown, so that other pages load faster'],
  ])
}

function inConsole(name: string): string {
  return `packages/console/src/${/\.tsx?$/.test(name) ? name : `${name}/**`}`
}
