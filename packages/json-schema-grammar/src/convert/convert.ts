// Converts a JSON schema to grammar rules. The grammar can be stricter than the schema, never
// looser: every text it allows is valid. A schema that can't be expressed is rejected, with the
// place of the problem.

import { pruneEndless } from '../grammar/prune-endless.ts'
import { choice, literal, repeat, sequence, type Expression } from '../grammar/expression.ts'
import type { GrammarRules, ReservedRule } from '../grammar/grammar-rules.ts'
import { GrammarTooLarge } from '../grammar/grammar-too-large.ts'
import { OtherTexts } from '../grammar/other-texts.ts'
import { oneOfTexts } from '../grammar/texts.ts'
import type { Alternatives } from '../expand/alternatives.ts'
import { Expander } from '../expand/expander.ts'
import type { Shape } from '../shape/shape.ts'
import { termOf, type Term } from '../shape/term.ts'
import { arrayExpression } from './arrays.ts'
import type { Conversion } from './conversion.ts'
import { PLAIN, anyValue, stringCharacter } from './json-text.ts'
import { numberExpression } from './numbers.ts'
import { objectExpression } from './objects.ts'
import { NothingFits, SchemaError } from '../schema/schema-error.ts'
import type { Schema } from '../schema/schema-object.ts'
import { stringExpression } from './strings.ts'
import { tellApart } from './tell-apart.ts'
import { isAnything, withoutIncidental } from './unions.ts'

const MAX_DEPTH = 100

/** Adds the rules for a schema and returns the expression to start with. Throws SchemaError. */
export function addSchema(schema: Schema, rules: GrammarRules): Expression {
  try {
    const root = new Converter(schema, rules).convert(schema, '#')
    if (!pruneEndless(root, rules)) throw new SchemaError('#', 'every value would have to contain itself, without end')
    return root
  } catch (error) {
    throw error instanceof GrammarTooLarge ? new SchemaError('#', error.message) : error
  }
}

/** A term that is being converted. */
interface Pending {
  /** The rule that stands for it, once it turns out to contain itself. */
  rule: ReservedRule | undefined
  /** How many terms are around it. */
  readonly depth: number
  state: 'open' | 'done'
}

/** One of the shapes that a term can have. */
interface Option {
  readonly shape: Shape
  readonly expression: Expression
  readonly isRecursive: boolean
}

export class Converter implements Conversion {
  readonly rules: GrammarRules
  readonly expander: Expander
  readonly otherNames: OtherTexts
  readonly #converted = new Map<number, Expression>()
  readonly #impossible = new Map<number, NothingFits>()
  readonly #pending = new Map<number, Pending>()
  /** The outermost term around it that each converted term leads back to. */
  readonly #leadsTo = new Map<number, Pending>()
  /** The outermost term that the current one has led back to so far. */
  #returned: Pending | undefined

  constructor(root: Schema, rules: GrammarRules) {
    this.rules = rules
    this.expander = new Expander(root)
    this.otherNames = new OtherTexts(PLAIN, () => repeat(stringCharacter(rules), 0), rules)
  }

  convert(schema: Schema, path: string): Expression {
    return this.convertTerm(termOf(schema, path))
  }

  tryTerm(term: Term): Expression | undefined {
    try {
      return this.convertTerm(term)
    } catch (error) {
      if (error instanceof NothingFits) return undefined
      throw error
    }
  }

  convertTerm(term: Term): Expression {
    const [first] = term
    if (first === undefined) return anyValue(this.rules)
    const key = this.expander.keyOf(term)
    const known = this.#converted.get(key)
    const impossible = this.#impossible.get(key)
    if (impossible !== undefined) throw impossible
    if (known !== undefined) {
      this.#noteReturn(this.#leadsTo.get(key))
      return known
    }
    const pending = this.#pending.get(key)
    return pending === undefined ? this.#begin(key, term, first.path) : this.#return(pending)
  }

  #return(pending: Pending): Expression {
    this.#noteReturn(pending)
    pending.rule ??= this.rules.reserve('value')
    return pending.rule.reference
  }

  #noteReturn(pending: Pending | undefined): void {
    if (pending?.state === 'open' && pending.depth < (this.#returned?.depth ?? Number.POSITIVE_INFINITY))
      this.#returned = pending
  }

  #begin(key: number, term: Term, path: string): Expression {
    if (this.#pending.size >= MAX_DEPTH) throw new SchemaError(path, 'the schema is too complex')
    const pending: Pending = { rule: undefined, depth: this.#pending.size, state: 'open' }
    this.#pending.set(key, pending)
    const before = this.#takeReturn()
    try {
      return this.#finish(key, pending, this.#convertShapes(this.expander.expand(term, key), path, pending.depth))
    } catch (error) {
      // Parts of it may be in use; a rule that never ends is taken out later.
      if (error instanceof NothingFits) {
        this.#impossible.set(key, error)
        pending.rule?.define(sequence('"', pending.rule.reference))
      }
      throw error
    } finally {
      pending.state = 'done'
      this.#pending.delete(key)
      const inside = this.#takeReturn(before)
      if (inside !== undefined) this.#leadsTo.set(key, inside)
      this.#noteReturn(inside)
    }
  }

  #takeReturn(next?: Pending): Pending | undefined {
    const returned = this.#returned
    this.#returned = next
    return returned
  }

  #finish(key: number, { rule }: Pending, expression: Expression): Expression {
    rule?.define(expression)
    const finished = rule?.reference ?? (isSmall(expression) ? expression : this.rules.add('value', expression))
    this.#converted.set(key, finished)
    return finished
  }

  #convertShapes(expanded: Alternatives, path: string, depth: number): Expression {
    const shapes = withoutIncidental(expanded.shapes)
    if (shapes.length === 0) throw new NothingFits(path, expanded.conflict ?? 'no value is allowed here')
    if (isAnything(shapes)) return anyValue(this.rules)
    const values = shapes.flatMap((shape) => (shape.type === 'values' ? shape.values : []))
    const texts = [...new Set(values.map((value) => JSON.stringify(value)))]
    const others = shapes.filter(({ type }) => type !== 'values')
    const options = this.#options(others, path, depth, texts.length > 0)
    return choice(...(texts.length > 0 ? [this.rules.add('values', oneOfTexts(texts, this.rules))] : []), ...options)
  }

  /** Shapes that no value has are left out, unless none is left. */
  #options(shapes: readonly Shape[], path: string, depth: number, hasOthers: boolean): Expression[] {
    let reason: NothingFits | undefined
    const options = shapes.flatMap((shape) => {
      try {
        return [this.#convertOption(shape, path, depth)]
      } catch (error) {
        if (!(error instanceof NothingFits)) throw error
        reason ??= error
        return []
      }
    })
    if (options.length === 0 && !hasOthers) throw reason ?? new NothingFits(path, 'no value is allowed here')
    return this.#tellApart(options, path)
  }

  #convertOption(shape: Shape, path: string, depth: number): Option {
    const before = this.#takeReturn()
    try {
      const expression = this.#convertShape(shape, path)
      // The alternatives repeat inside themselves only if the way leads back to this place, or to
      // one around it.
      return { shape, expression, isRecursive: (this.#returned?.depth ?? Number.POSITIVE_INFINITY) <= depth }
    } finally {
      this.#noteReturn(this.#takeReturn(before))
    }
  }

  // Of recursive alternatives, the first property has to say which one it is: otherwise the ways to
  // read a text double with each level.
  #tellApart(options: readonly Option[], path: string): Expression[] {
    const recursive = options.filter(({ isRecursive }) => isRecursive).map(({ shape }) => shape)
    if (recursive.length < 2) return options.map(({ expression }) => expression)
    const toldApart = tellApart(recursive, this.expander)
    if (toldApart === undefined)
      throw new SchemaError(path, 'recursive alternatives must have a required property that tells them apart')
    return options.map(({ shape, expression, isRecursive }) => {
      const changed = isRecursive ? toldApart[recursive.indexOf(shape)] : undefined
      return changed === undefined || changed === shape ? expression : this.#convertShape(changed, path)
    })
  }

  #convertShape(shape: Shape, path: string): Expression {
    switch (shape.type) {
      case 'object':
        return objectExpression(shape, this)
      case 'array':
        return arrayExpression(shape, this)
      case 'string':
        return stringExpression(shape, this.rules, this.expander.work)
      case 'number':
        return numberExpression(shape, path, this)
      case 'true':
      case 'false':
      case 'null':
        return literal(shape.type)
      case 'values':
        return oneOfTexts(
          shape.values.map((value) => JSON.stringify(value)),
          this.rules,
        )
      default:
        return shape satisfies never
    }
  }
}

function isSmall({ type }: Expression): boolean {
  return type === 'rule' || type === 'literal'
}
