// Compares the rules in SPEC.md with the rules that test titles name, as text.

const RULE_ID = /(?<=^- \*\*)[A-Z]\d+[a-z]?(?=\*\* )/gm
// A title opens with the ids in brackets, "[C23] …" or "[C23] [C24] …"; titles kept in tables are found the same way.
const TITLE_START = /(?<=['"`])(?:\[[A-Z]\d+[a-z]?\] ?)+/g
const ID = /[A-Z]\d+[a-z]?/g
/** What looks like an id, wherever it stands in a test; `list[A1]` doesn't. */
const CODE = /(?<![\w)\]])\[([A-Z]{1,4}-?\d+[a-z]?)\]/g
// Nobody reads more. A rule for every test would only repeat the titles.
const MAX_RULES = 250
const TOO_MANY = `More than ${MAX_RULES} rules: SPEC.md holds the public interface. Make one rule of those that are one promise, and leave the rest to the titles of tests.`

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
  const proven = new Set([...tests.values()].flatMap(namedIds).filter((id) => rules.has(id)))
  return {
    rules: rules.size,
    proven: proven.size,
    repeated: ids.filter((id, index) => ids.indexOf(id) !== index),
    untested: [...rules].filter((id) => !proven.has(id)),
    unknown: [...tests].flatMap(([file, text]) =>
      codesIn(text)
        .filter((id) => !rules.has(id))
        .map((id) => ({ id, file })),
    ),
  }
}

function ruleIds(spec: string): string[] {
  return spec.match(RULE_ID) ?? []
}

function namedIds(text: string): string[] {
  return (text.match(TITLE_START) ?? []).flatMap((start) => start.match(ID) ?? [])
}

function codesIn(text: string): string[] {
  return [...new Set([...text.matchAll(CODE)].map(([, id = '']) => id))]
}

export function isClean(report: SpecReport): boolean {
  return report.repeated.length + report.untested.length + report.unknown.length === 0 && report.rules <= MAX_RULES
}

export function reportLines(report: SpecReport): string[] {
  return [
    ...report.repeated.map((id) => `${id}: appears twice; give one of them a new id`),
    ...report.untested.map((id) => `${id}: no test names it; write one whose title starts with "[${id}]"`),
    ...report.unknown.map(({ id, file }) => `${id}: in ${file}, but SPEC.md has no such rule; say it in words`),
    ...(report.rules > MAX_RULES ? [TOO_MANY] : []),
    `${report.rules} rules, ${report.proven} with a test, ${report.untested.length} without, ${report.unknown.length} unknown`,
  ]
}
