// Numbers, codes and names in sentences have to be those of the code.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { API_ERRORS } from '@hearth/chat'
import { listSettings } from '../../packages/gateway/src/config.ts'
import { readPages, readSpans, ROOT, type Page } from './read-pages.ts'

const pages = readPages()
const defaults = new Map(listSettings().map(({ name, fallback }) => [name, fallback]))
const statuses = new Map(Object.entries(API_ERRORS).map(([code, { status }]) => [code, status]))
const consoleTitles = new Set(
  [...readFileSync(`${ROOT}packages/console/src/session/sidebar-pages.ts`, 'utf8').matchAll(/title: '([^']+)'/g)].map(
    ([, title]) => title,
  ),
)
/** From the page that is printed from the code. */
const metrics = new Set([...read('docs/metrics.md').matchAll(/^- `(\w+)`/gm)].map(([, name]) => name))
/** Of settings, in the unit that their names end with. */
const UNITS: Record<string, number> = { MiB: 1024 ** 2, KiB: 1024, min: 60_000, s: 1_000 }

function read(path: string): string {
  return readFileSync(ROOT + path, 'utf8')
}

function pageAt(path: string): Page {
  const page = pages.find((one) => one.path === path)
  if (!page) throw new Error(`There is no page ${path}`)
  return page
}

/** `QUEUE_PER_KEY` (200), `DRAIN_MS` (120 s) */
function wrongDefaults({ text }: Page): string[] {
  return [...text.matchAll(/`([A-Z][A-Z_]+)` \((\d[\d,]*)(?: (MiB|KiB|min|s))?\)/g)].flatMap(
    ([written, name = '', digits = '', unit]) => {
      const amount = Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN))
      const inUnit = name.endsWith('_S') ? amount / 1_000 : amount
      return String(inUnit) === defaults.get(name) ? [] : [`${written}: the default is ${defaults.get(name)}`]
    },
  )
}

/** 503 `model_unavailable` */
function wrongStatuses({ text }: Page): string[] {
  return [...text.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)].flatMap(([written, status, code = '']) =>
    statuses.get(code) === Number(status) ? [] : [written],
  )
}

/** the Devices page, the Audit log page */
function unknownPlaces({ text }: Page): string[] {
  return [...text.matchAll(/\b[Tt]he ([A-Z][a-z]+(?: [a-z]+)?) page\b/g)].flatMap(([written, name = '']) =>
    /^[A-Z]/.test(name) && !consoleTitles.has(name) ? [written] : [],
  )
}

/** `hearth_jobs_total{outcome="device-lost"}` */
function unknownMetrics({ text }: Page): string[] {
  return [...text.matchAll(/`(hearth_\w+)/g)].flatMap(([, name = '']) => (metrics.has(name) ? [] : [name]))
}

describe.each(pages)('$path', (page) => {
  it('gives the real defaults of settings', () => {
    expect(wrongDefaults(page)).toStrictEqual([])
  })

  it('gives error codes with their statuses', () => {
    expect(wrongStatuses(page)).toStrictEqual([])
  })

  it('names metrics that exist', () => {
    expect(unknownMetrics(page)).toStrictEqual([])
  })

  it('names pages that the console has', () => {
    expect(unknownPlaces(page)).toStrictEqual([])
  })
})

describe('the checks themselves', () => {
  const page = (text: string): Page => ({ path: '', text, blocks: [] })

  it('find wrong facts', () => {
    expect(wrongDefaults(page('`DRAIN_MS` (2 min), `DRAIN_MS` (90 s) and `STORE_GRACE_S` (120 s)'))).toHaveLength(1)
    expect(wrongStatuses(page('a 503 `model_unavailable`, a 404 `model_disabled`'))).toStrictEqual([
      '404 `model_disabled`',
    ])
    expect(unknownMetrics(page('`hearth_links` and `hearth_chains`'))).toStrictEqual(['hearth_chains'])
    expect(unknownPlaces(page('on the Keys page and the Secrets page'))).toStrictEqual(['the Secrets page'])
  })
})

describe('the tables', () => {
  it('explain every alert', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: { alert: string }[] }[] }
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    const explained = [...read('docs/operate.md').matchAll(/^\| `(Hearth\w+)`/gm)].map(([, name = '']) => name)
    expect(explained.toSorted()).toStrictEqual(alerts.toSorted())
  })

  it('explain every command of the root package', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const explained = readSpans(pageAt('CONTRIBUTING.md')).join('\n')
    const named = (script: string) => new RegExp(`^npm (run )?${RegExp.escape(script)}( |$)`, 'm').test(explained)
    expect(Object.keys(scripts).filter((script) => !named(script))).toStrictEqual([])
  })
})
