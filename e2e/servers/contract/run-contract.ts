// The whole contract on one server: a cell for each field.

import type { Driver } from '../drivers/driver.ts'
import { CASES } from './cases.ts'
import { judge, type Finding, type Verdict } from './judge.ts'
import { Served } from './served.ts'
import { STEPS } from './steps.ts'

export interface Cell {
  verdict: Verdict
  /** What is worth saying. */
  note: string
}

export interface Column {
  title: string
  version: string
  /** The day. */
  date: string
  cells: Record<string, Cell>
}

/** `chosen` says which fields to look at. `tell` gets a line for each thing that isn't right. */
export async function runContract(
  driver: Driver,
  tell: (line: string) => void,
  chosen: (field: string) => boolean = () => true,
): Promise<Column> {
  await driver.install()
  await using served = await Served.start(driver)
  await served.serve()
  const findings: Finding[] = []
  for (const one of CASES.filter(({ field }) => chosen(field)))
    for (const finding of await judge(one, { hearth: served.hearth, server: served.direct })) {
      findings.push(finding)
      if (finding.verdict !== 'yes')
        tell(`${driver.title}: ${finding.field}: ${finding.title}: ${finding.verdict}: ${finding.why}`)
    }
  const cells: Record<string, Cell> = Object.fromEntries(
    Object.entries(Object.groupBy(findings, ({ field }) => field)).map(([field, found]) => [
      field,
      explained(field, cellOf(found!), driver),
    ]),
  )
  for (const { field, run, leftOut } of STEPS.filter(({ field }) => chosen(field))) {
    const reason = driver.limits?.[field] ?? leftOut?.(served)
    cells[field] =
      reason === undefined
        ? await run(served).then(
            (): Cell => ({ verdict: 'yes', note: '' }),
            (error: unknown): Cell => ({
              verdict: 'wrong',
              note: error instanceof Error ? error.message : String(error),
            }),
          )
        : { verdict: 'limit', note: reason }
    if (cells[field].verdict === 'wrong') tell(`${driver.title}: ${field}: ${cells[field].note}`)
  }
  const { title, version } = driver
  return { title, version, date: new Date().toISOString().slice(0, 10), cells }
}

/** By what is known of the server, rather than by what it said. */
function explained(field: string, cell: Cell, { limits = {} }: Driver): Cell {
  return cell.verdict === 'limit' ? { ...cell, note: limits[field] ?? cell.note } : cell
}

/** Wrong if one is wrong. If the server can't do some of it, the note says what. */
function cellOf(findings: readonly Finding[]): Cell {
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong')
  if (wrong.length > 0) return { verdict: 'wrong', note: wrong.map(({ title, why }) => `${title}: ${why}`).join('; ') }
  const limits = findings.filter(({ verdict }) => verdict === 'limit')
  if (limits.length === 0) return { verdict: 'yes', note: '' }
  if (limits.length === findings.length) return { verdict: 'limit', note: limits[0]!.why }
  const titles = new Set(limits.map(({ title }) => title.replace(/, (whole|stream)$/, '')))
  return { verdict: 'yes', note: `except ${[...titles].join(', ')}` }
}
