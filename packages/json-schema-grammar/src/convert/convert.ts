// Converts a JSON schema to grammar rules. The grammar can be stricter than the schema, never looser: every text it allows is valid. A
// schema that can't be expressed is rejected, with the place of the problem.

import { canFinish, pruneEndless } from '../grammar/analyze.ts'
import { choice, literal, sequence, type Expression } from '../grammar/expression.ts'
import { GrammarTooLarge, type GrammarRules, type ReservedRule } from '../grammar/grammar-rules.ts'
import { oneOfTexts } from '../grammar/texts.ts'
import { Expander } from '../expand/expander.ts'
import type { Shape } from '../shape/shape.ts'
import { termOf, type Term } from '../shape/term.ts'
import { arrayExpression } from './arrays.ts'
import type { Conversion } from './conversion.ts'
import { anyValue } from './json-text.ts'
import { numberExpression } from './numbers.ts'
import { objectExpression } from './objects.ts'
import { NothingFits, SchemaError } from '../schema/schema-error.ts'
import type { Schema } from '../schema/schema-object.ts'
import { stringExpression } from './strings.ts'
import { areToldApart } from './told-apart.ts'
import { isAnything, withoutIncidental } from './unions.ts'

const MAX_DEPTH = 100

/** Adds the rules for a schema and returns the expression to start with. Throws SchemaError. */
export function addSchema(schema: Schema, rules: GrammarRules): Expression {
  try {
    const root = new Converter(schema, rules).convert(schema, '#')
    if (!canFinish(root, rules)) throw new SchemaError('#', 'every value would have to contain itself, without end')
    pruneEndless(rules)
    return root
  } catch (error) {
    throw error instanceof GrammarTooLarge ? new SchemaError('#', error.message) : error
  }
}

/** A term that is being converted. */
interface Pending {
  /** The rule that stands for it, once it turns out to contain itself. */
  rule: ReservedRule | undefined
}

export class Converter implements Conversion {
  readonly rules: GrammarRules
  readonly expander: Expander
  readonly #converted = new Map<string, Expression>()
  readonly #impossible = new Map<string, NothingFits>()
  readonly #pending = new Map<string, Pending>()
  /** Terms that contain themselves. */
  readonly #recursive = new Set<string>()
  /** How often a term led back to one that is still being converted. */
  #returns = 0

  constructor(root: Schema, rules: GrammarRules) {
    this.rules = rules
    this.expander = new Expander(root)
  }

  convert(schema: Schema, path: string): Expression {
    return this.convertTerm(termOf(schema, path), path)
  }

  tryTerm(term: Term, path: string): Expression | undefined {
    try {
      return this.convertTerm(term, path)
    } catch (error) {
      if (error instanceof NothingFits) return undefined
      throw error
    }
  }

  convertTerm(term: Term, path: string): Expression {
    if (term.length === 0) return anyValue(this.rules)
    const key = this.expander.keyOf(term)
    const known = this.#converted.get(key)
    const impossible = this.#impossible.get(key)
    if (impossible !== undefined) throw impossible
    if (known !== undefined) {
      if (this.#recursive.has(key)) this.#returns++
      return known
    }
    const pending = this.#pending.get(key)
    return pending === undefined ? this.#begin(key, term, term[0]?.path ?? path) : this.#return(pending)
  }

  #return(pending: Pending): Expression {
    this.#returns++
    pending.rule ??= this.rules.reserve('value')
    return pending.rule.reference
  }

  #begin(key: string, term: Term, path: string): Expression {
    if (this.#pending.size >= MAX_DEPTH) throw new SchemaError(path, 'the schema is too complex')
    const pending: Pending = { rule: undefined }
    this.#pending.set(key, pending)
    const before = this.#returns
    try {
      const expression = this.#convertShapes(term, path)
      if (this.#returns > before) this.#recursive.add(key)
      return this.#finish(key, pending, expression)
    } catch (error) {
      // Parts of it may be in use; a rule that never ends is taken out later.
      if (error instanceof NothingFits) {
        this.#impossible.set(key, error)
        pending.rule?.define(sequence('"', pending.rule.reference))
      }
      throw error
    } finally {
      this.#pending.delete(key)
    }
  }

  #finish(key: string, { rule }: Pending, expression: Expression): Expression {
    rule?.define(expression)
    const finished = rule?.reference ?? (isSmall(expression) ? expression : this.rules.add('value', expression))
    this.#converted.set(key, finished)
    return finished
  }

  #convertShapes(term: Term, path: string): Expression {
    const expanded = this.expander.expand(term)
    const shapes = withoutIncidental(expanded.shapes)
    if (shapes.length === 0) throw new NothingFits(path, expanded.conflict ?? 'no value is allowed here')
    if (isAnything(shapes)) return anyValue(this.rules)
    const values = shapes.flatMap((shape) => (shape.type === 'values' ? shape.values : []))
    const texts = [...new Set(values.map((value) => JSON.stringify(value)))]
    const others = shapes.filter(({ type }) => type !== 'values')
    const options = this.#options(others, path, texts.length > 0)
    return choice(...(texts.length > 0 ? [this.rules.add('values', oneOfTexts(texts, this.rules))] : []), ...options)
  }

  /** Shapes that no value has are left out, unless none is left. */
  #options(shapes: readonly Shape[], path: string, hasOthers: boolean): Expression[] {
    const recursive: Shape[] = []
    let reason: NothingFits | undefined
    const options = shapes.flatMap((shape) => {
      const before = this.#returns
      try {
        const converted = this.#convertShape(shape, path)
        if (this.#returns > before) recursive.push(shape)
        return [converted]
      } catch (error) {
        if (!(error instanceof NothingFits)) throw error
        reason ??= error
        return []
      }
    })
    if (options.length === 0 && !hasOthers) throw reason ?? new NothingFits(path, 'no value is allowed here')
    const isClear = recursive.every((one, index) =>
      recursive.slice(index + 1).every((other) => areToldApart(one, other, this.expander)),
    )
    if (!isClear)
      throw new SchemaError(path, 'recursive alternatives must begin with a required property that tells them apart')
    return options
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
