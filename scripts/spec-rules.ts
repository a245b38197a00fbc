// Compares the rules in the SPEC files with the rules that test titles name, as text.

const RULE_ID = /(?<=^- \*\*)[A-Z]\d+[a-z]?(?=\*\* )/gm
// A title opens with the ids in brackets, "[C23] …" or "[C23] [C24] …"; titles kept in tables are found the same way.
const TITLE_START = /(?<=['"`])(?:\[[A-Z]\d+[a-z]?\] ?)+/g
const ID = /[A-Z]\d+[a-z]?/g
// Nobody reads more. A rule for every test would only repeat the titles.
const MAX_RULES = 400
const TOO_MANY = `More than ${MAX_RULES} rules: a SPEC.md holds the public interface and promises that span files. Make one rule of those that are one promise, and leave the rest to the titles of tests.`

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
  return spec.match(RULE_ID) ?? []
}

function namedIds(text: string): string[] {
  return [...new Set((text.match(TITLE_START) ?? []).flatMap((start) => start.match(ID) ?? []))]
}

export function isClean(report: SpecReport): boolean {
  return report.repeated.length + report.untested.length + report.unknown.length === 0 && report.rules <= MAX_RULES
}

export function reportLines(report: SpecReport): string[] {
  return [
    ...report.repeated.map((id) => `${id}: appears twice; give one of them a new id`),
    ...report.untested.map((id) => `${id}: no test names it; write one whose title starts with "[${id}]"`),
    ...report.unknown.map(({ id, file }) => `${id}: named by ${file}, but no SPEC.md has that rule`),
    ...(report.rules > MAX_RULES ? [TOO_MANY] : []),
    `${report.rules} rules, ${report.proven} with a test, ${report.untested.length} without, ${report.unknown.length} unknown`,
  ]
}
