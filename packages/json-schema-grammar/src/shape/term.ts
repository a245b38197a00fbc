// Schemas that all have to match, or must not match. Shapes keep the schemas inside them as terms,
// because most are never looked into, and because a recursive schema has no end.

import { below } from '../schema/schema-error.ts'
import type { Schema, SchemaObject } from '../schema/schema-object.ts'

export interface TermPart {
  readonly schema: SchemaObject | false
  /** A JSON pointer to the schema, for error messages. */
  readonly path: string
  readonly isNegated: boolean
}

export type Term = readonly TermPart[]

export const ANYTHING: Term = []

export function never(path: string): Term {
  return [{ schema: false, path, isNegated: false }]
}

export function termOf(schema: Schema, path: string): Term {
  return schema === true ? ANYTHING : [{ schema, path, isNegated: false }]
}

export function negatedTerm(schema: Schema, path: string): Term {
  if (typeof schema === 'boolean') return schema ? never(path) : ANYTHING
  return [{ schema, path, isNegated: true }]
}

/** The schema of a keyword, as a term. */
export function termAt(schema: Schema, path: string, ...steps: (string | number)[]): Term {
  return termOf(schema, below(path, ...steps))
}

export function both(a: Term, b: Term): Term {
  if (a.length === 0) return b
  if (b.length === 0) return a
  return [...a, ...b.filter((part) => !a.some((known) => isSamePart(known, part)))]
}

function isSamePart(a: TermPart, b: TermPart): boolean {
  return a.schema === b.schema && a.isNegated === b.isNegated
}

export function isNever(term: Term): boolean {
  return term.some(({ schema, isNegated }) => schema === false && !isNegated)
}
