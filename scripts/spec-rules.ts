// Compares the rules in the SPEC files with the rules that test titles name, as text.

const RULE_LINE = /^- \*\*([A-Z]\d+[a-z]?)\*\* /gm
// A title opens with the ids in brackets, "[C23] …" or "[C23] [C24] …"; titles kept in tables are found the same way.
const TITLE_START = /['"`]((?:\[[A-Z]\d+[a-z]?\] ?)+)/g
const ID = /[A-Z]\d+[a-z]?/g

export interface SpecReport {
  rules: number
  proven: number
  repeated: string[]
  untested: string[]
  unknown: { id: string; file: string }[]
}

/** `tests` maps the path of each test file to its text. */
export function compareSpec(spec: string, tests: ReadonlyMap<string, string>): SpecReport {
  const ids = ruleIds(spec)
  const rules = new Set(ids)
  const named = [...tests].flatMap(([file, text]) => namedIds(text).map((id) => ({ id, file })))
  const proven = new Set(named.map(({ id }) => id).filter((id) => rules.has(id)))
  return {
    rules: rules.size,
    proven: proven.size,
    repeated: ids.filter((id, index) => ids.indexOf(id) !== index),
    untested: [...rules].filter((id) => !proven.has(id)),
    unknown: named.filter(({ id }) => !rules.has(id)),
  }
}

function ruleIds(spec: string): string[] {
  return [...spec.matchAll(RULE_LINE)].map((match) => match[1]!)
}

function namedIds(text: string): string[] {
  return [...new Set([...text.matchAll(TITLE_START)].flatMap((match) => match[1]!.match(ID) ?? []))]
}

export function isClean(report: SpecReport): boolean {
  return report.repeated.length + report.untested.length + report.unknown.length === 0
}

export function reportLines(report: SpecReport): string[] {
  return [
    ...report.repeated.map((id) => `${id}: appears twice; give one of them a new id`),
    ...report.untested.map((id) => `${id}: no test names it; write one whose title starts with "[${id}]"`),
    ...report.unknown.map(({ id, file }) => `${id}: named by ${file}, but no SPEC.md has that rule`),
    `${report.rules} rules, ${report.proven} with a test, ${report.untested.length} without, ${report.unknown.length} unknown`,
  ]
}
