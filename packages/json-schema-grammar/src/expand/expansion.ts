// The part of the expander that the keywords of a schema use: the shapes of the schemas inside it,
// and ways to combine them.

import type { Target } from '../schema/references.ts'
import type { Schema, SchemaObject } from '../schema/schema-object.ts'
import type { Shape } from '../shape/shape.ts'
import type { Alternatives } from './alternatives.ts'
import type { Join, Joined } from './join-shapes.ts'

export interface Expansion extends Join {
  /** The schema that a reference points to. */
  resolve(schema: SchemaObject, path: string): Target | undefined
  /**
   * The shapes of a schema inside another one that apply to the same value; negated, those of
   * values that don't match it.
   */
  inside(schema: Schema, path: string, isNegated?: boolean): Alternatives
  join(a: Shape, b: Shape): Joined
  /** The values that are in both. */
  joinAll(a: Alternatives, b: Alternatives, path: string): Alternatives
}
