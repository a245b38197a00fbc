// docs/asvs.md judges every requirement of the standard's first two levels, once, and shows where what it says is true.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import asked from './asvs-5.0.0.json' with { type: 'json' }
import { ROOT } from './read-pages.ts'

const STATES = ['met', 'in part', 'missing', 'not applicable']

const page = readFileSync(`${ROOT}docs/asvs.md`, 'utf8')
const rows = [...page.matchAll(/^\| (\d[\d., ]*?) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
  ([, numbers = '', about = '', state = '', shown = '']) => ({ numbers: numbers.split(', '), about, state, shown }),
)

describe('docs/asvs.md', () => {
  it('judges each requirement of levels 1 and 2 once', () => {
    const judged = rows.flatMap(({ numbers }) => numbers)
    expect(judged.toSorted()).toStrictEqual([...asked['1'], ...asked['2']].toSorted())
  })

  it.each(rows)('says of $numbers ($about) what it is, and shows it', ({ state, shown }) => {
    expect(STATES).toContain(state)
    expect(shown.length).toBeGreaterThan(3)
    const links = [...shown.matchAll(/\]\(([^)#]*)/g)].map(([, link = '']) => link)
    if (state === 'met' || state === 'in part') expect(links).not.toStrictEqual([])
    for (const link of links) expect(existsSync(join(ROOT, 'docs', link)), link).toBe(true)
  })

  it('counts them in its first lines', () => {
    const count = (state: string) => rows.filter((row) => row.state === state).flatMap(({ numbers }) => numbers).length
    const [met, part, missing, none] = STATES.map(count)
    expect(page).toContain(`${met} are met, ${part} in part, ${missing} missing, ${none} not applicable`)
  })
})
