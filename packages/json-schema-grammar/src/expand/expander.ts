// Works out the shapes of a schema: combines `allOf`, `anyOf`, `oneOf`, `not`, `if`, references and
// the rest into alternatives that no longer refer to each other. To invert a schema, every keyword
// is violated in turn.

import { onlyOne } from '../only-one.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import { WorkBudget } from '../language/work-budget.ts'
import { EqualSchemas } from '../schema/equal-schemas.ts'
import { References, type Target } from '../schema/references.ts'
import { NothingFits, SchemaError, TooComplex } from '../schema/schema-error.ts'
import type { Schema, SchemaObject } from '../schema/schema-object.ts'
import { anyShapes, type Shape } from '../shape/shape.ts'
import { isNever, type Term, type TermPart } from '../shape/term.ts'
import { isValueInShape } from '../shape/value-in-shape.ts'
import { NO_ALTERNATIVE, type Alternatives } from './alternatives.ts'
import type { Expansion } from './expansion.ts'
import { joinShapes, type Joined } from './join-shapes.ts'
import { matchSchema } from './match-schema.ts'
import { violateSchema } from './violate-schema.ts'
import { getOrMake } from '../get-or-make.ts'

/**
 * Combining schemas multiplies them; a schema that needs more steps than this is treated as an
 * attack.
 */
const MAX_STEPS = 15_000
const MAX_SHAPES = 96

export class Expander implements Expansion {
  readonly work = new WorkBudget()
  readonly #references: References
  readonly #equal: EqualSchemas
  readonly #numbers = new Map<SchemaObject, number>()
  readonly #keys = new NumberLists()
  readonly #known = new Map<number, Alternatives>()
  readonly #terms = new Map<number, Alternatives>()
  /** Schemas and terms that are being worked out. */
  readonly #openParts = new Set<number>()
  readonly #openTerms = new Set<number>()
  #steps = 0

  constructor(root: Schema) {
    this.#references = new References(root)
    this.#equal = new EqualSchemas((schema) => this.#references.baseOf(schema))
  }

  /** Equal for terms with the same schemas. Most have only one, whose key is below zero. */
  keyOf(term: Term): number {
    const only = onlyOne(term)
    if (only !== undefined) return -1 - this.#keyOfPart(only)
    const keys = new Set(term.map((part) => this.#keyOfPart(part)))
    const [first] = keys
    if (first !== undefined && keys.size === 1) return -1 - first
    return [...keys].sort((a, b) => a - b).reduce((list, key) => this.#keys.extended(list, key), EMPTY_LIST)
  }

  #keyOfPart({ schema, path, isNegated }: TermPart): number {
    const number = schema === false ? 0 : this.#numberOf(schema, path) + 1
    return number * 2 + Number(isNegated)
  }

  // Schemas that only refer to the same one are equal.
  #numberOf(schema: SchemaObject, path: string): number {
    return getOrMake(this.#numbers, schema, () => this.#equal.numberOf(this.#references.behind(schema, path).schema))
  }

  /** The shapes of the values that match all parts of a term. */
  expand(term: Term, key = this.keyOf(term)): Alternatives {
    return getOrMake(this.#terms, key, () => this.#expandParts(term))
  }

  // A term mostly grows by one part at a time, so what comes before the last one is known.
  #expandParts(term: Term): Alternatives {
    const last = term.at(-1)
    if (last === undefined) return { shapes: anyShapes('open', '#') }
    const alternatives = this.#expandPart(last)
    return term.length === 1 ? alternatives : this.joinAll(this.expand(term.slice(0, -1)), alternatives, last.path)
  }

  isImpossible(term: Term): boolean {
    if (isNever(term)) return true
    const [first] = term
    const key = this.keyOf(term)
    if (first === undefined || this.#openTerms.has(key)) return false
    const known = this.#terms.get(key)
    if (known !== undefined) return known.shapes.length === 0
    try {
      return this.#guarded(this.#openTerms, key, first.path, () => this.expand(term, key).shapes.length === 0)
    } catch (error) {
      // Other schema errors mean that the term can't be enforced; code that needs it throws.
      if (error instanceof SchemaError && !(error instanceof TooComplex)) return error instanceof NothingFits
      throw error
    }
  }

  isValueIn(value: unknown, term: Term): boolean {
    return this.expand(term).shapes.some((shape) => isValueInShape(value, shape, this))
  }

  resolve(schema: SchemaObject, path: string): Target | undefined {
    return this.#references.resolve(schema, path)
  }

  inside(schema: Schema, path: string, isNegated = false): Alternatives {
    if (typeof schema === 'boolean') return schema === isNegated ? NO_ALTERNATIVE : { shapes: anyShapes('open', path) }
    return this.#expandPart({ schema, path, isNegated })
  }

  joinAll(a: Alternatives, b: Alternatives, path: string): Alternatives {
    const shapes: Shape[] = []
    let conflict = b.conflict ?? a.conflict
    for (const one of a.shapes)
      for (const other of b.shapes) {
        const joined = this.join(one, other)
        if (joined.type === 'nothing') conflict = joined.conflict ?? conflict
        else shapes.push(joined)
      }
    if (shapes.length > MAX_SHAPES) throw new SchemaError(path, 'too many combinations of alternatives')
    return shapes.length > 0 ? { shapes } : { shapes, conflict: conflictOfTypes(a.shapes, b.shapes) ?? conflict }
  }

  join(a: Shape, b: Shape): Joined {
    this.#count('#')
    return joinShapes(a, b, this)
  }

  #count(path: string): void {
    if (++this.#steps > MAX_STEPS) throw new TooComplex(path, 'the schema is too complex')
  }

  #guarded<Result>(open: Set<number>, key: number, path: string, make: () => Result): Result {
    if (open.has(key)) throw new SchemaError(path, 'the references form a cycle')
    open.add(key)
    try {
      return make()
    } finally {
      open.delete(key)
    }
  }

  #expandPart(part: TermPart): Alternatives {
    const { isNegated } = part
    if (part.schema === false) return this.inside(false, part.path, isNegated)
    const key = this.#keyOfPart(part)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { schema, path } = this.#references.behind(part.schema, part.path)
    this.#count(path)
    const alternatives = this.#guarded(this.#openParts, key, path, () =>
      isNegated ? violateSchema(schema, path, this) : matchSchema(schema, path, this),
    )
    this.#known.set(key, alternatives)
    return alternatives
  }
}

function conflictOfTypes(a: readonly Shape[], b: readonly Shape[]): string | undefined {
  const canShare = a.some(({ type }) => b.some((other) => other.type === type || [type, other.type].includes('values')))
  return a.length === 0 || b.length === 0 || canShare ? undefined : `no value is both ${typesOf(a)} and ${typesOf(b)}`
}

function typesOf(shapes: readonly Shape[]): string {
  const types = shapes.map((shape) => (shape.type === 'number' && shape.isInteger ? 'integer' : shape.type))
  return [...new Set(types)].join(' or ')
}
