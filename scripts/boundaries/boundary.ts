// One import boundary: files, and what they must not import. Of several that match a file, the last one counts alone.

import type { DummyRuleMap, OxlintOverride } from 'oxlint'

export const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/*.contract.ts', '**/testing/**']
export const HTTP = ['node:http', 'node:https', 'node:http2', 'ws']

export type Forbidden = [group: string[], message: string, importNames?: [string, ...string[]]]

export function boundary(
  files: string[],
  excludeFiles: string[],
  forbidden: Forbidden[],
  rules: DummyRuleMap = {},
): OxlintOverride {
  const crossing: Forbidden = [['**/src/**'], 'other packages are imported by their name']
  const patterns = [crossing, ...forbidden]
    .filter(([group]) => group.length > 0)
    .map(([group, message, importNames]) => ({ group, message, ...(importNames && { importNames }) }))
  return { files, excludeFiles, rules: { ...rules, 'no-restricted-imports': ['error', { patterns }] } }
}

export function anyPathTo(name: string): string {
  return /\.tsx?$/.test(name) ? `**/${name}` : `**/${name}/**`
}
