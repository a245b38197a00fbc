// Objects: first the named properties in the order of the schema, the optional ones as the model
// likes; then, only if the schema asks for them, properties with other names.

import { EMPTY, choice, repeat, sequence, type Expression } from '../grammar/expression.ts'
import { namedProperties, propertyTerm } from '../shape/object-shape.ts'
import type { ObjectShape, SomeProperty } from '../shape/shape.ts'
import { both } from '../shape/term.ts'
import { isSomeName } from '../shape/value-in-shape.ts'
import type { Conversion } from './conversion.ts'
import { anyObject, comma, enclosed, exactly, memberOf } from './json-text.ts'
import { listedNames, otherMembers, someMember } from './other-properties.ts'
import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'

interface Member {
  name: string
  written: Expression
  isRequired: boolean
  /**
   * For each property that has to be there: how this one is written if it is meant to be that one;
   * undefined if it can't be.
   */
  asSome: readonly (Expression | undefined)[]
}

/** There is a rule for each member and each number of properties before it. */
const MAX_STATES = 3000
const STRIDE = 200
const UNLIMITED = Number.POSITIVE_INFINITY

export function objectExpression(shape: ObjectShape, conversion: Conversion): Expression {
  const { rules } = conversion
  if (isFree(shape)) return anyObject(rules)
  const listed = listedNames(shape, conversion)
  const members = readMembers(shape, listed ?? [], conversion)
  const others = listed === undefined ? otherMembers(shape, conversion) : undefined
  const inside = new Members(shape, members, others, conversion).all()
  if (inside === undefined) throw noObject(shape, members.length, others !== undefined)
  return enclosed('{', inside, '}', rules)
}

// Two other properties could have the same name and be one, so only one of them counts. An object
// that nobody meant is left out instead.
function noObject({ path, min, intent }: ObjectShape, named: number, hasOthers: boolean): SchemaError {
  if (hasOthers && min > named + 1 && intent === 'meant')
    return new SchemaError(
      below(path, 'minProperties'),
      `can't be enforced above ${named + 1}, the named properties and one more`,
    )
  return new NothingFits(path, 'no object satisfies all keywords')
}

function isFree({ layers, required, names, min, max, some }: ObjectShape): boolean {
  return (
    layers.length === 0 &&
    required.length === 0 &&
    names.length === 0 &&
    min === 0 &&
    max === UNLIMITED &&
    some.length === 0
  )
}

function readMembers(shape: ObjectShape, listed: readonly string[], conversion: Conversion): Member[] {
  const names = [...new Set([...namedProperties(shape), ...listed])]
  return names.flatMap((name) => readMember(shape, name, conversion))
}

function readMember(shape: ObjectShape, name: string, conversion: Conversion): Member[] {
  const { path, required, some } = shape
  const isRequired = required.includes(name)
  const term = propertyTerm(shape, name, conversion.expander.work)
  const isNamed = shape.names.length === 0 || conversion.expander.isValueIn(name, shape.names)
  const write = (more = term) => {
    const value = conversion.tryTerm(more)
    return value && conversion.rules.add(`${name}-member`, memberOf(exactly(name), value, conversion.rules))
  }
  const written = isNamed ? write() : undefined
  if (written === undefined && isRequired)
    throw new NothingFits(below(path, 'required'), `"${name}" is required but not allowed`)
  if (written === undefined) return []
  const asSome = some.map((one) => {
    if (!isSomeName(name, one, path, conversion.expander)) return undefined
    return one.term.length === 0 ? written : write(both(term, one.term))
  })
  return [{ name, written, isRequired, asSome }]
}

/** The members from one place on, given what has been written before. */
class Members {
  readonly #shape: ObjectShape
  readonly #members: readonly Member[]
  readonly #others: Expression | undefined
  readonly #conversion: Conversion
  readonly #known = new Map<number, Expression | undefined>()
  readonly #min: number
  readonly #max: number
  /** Beyond this number of properties, there is no difference. */
  readonly #counted: number
  /** The maximum number of other properties, if properties aren't counted. */
  readonly #maxOthers: number

  constructor(shape: ObjectShape, members: readonly Member[], others: Expression | undefined, conversion: Conversion) {
    this.#shape = shape
    this.#members = members
    this.#others = others
    this.#conversion = conversion
    this.#min = shape.min > shape.required.length ? shape.min : 0
    const hasOthers = others !== undefined || shape.some.length > 0
    const isLimited = shape.max < members.length || (hasOthers && shape.max < UNLIMITED)
    const canCount = members.length * shape.max <= MAX_STATES / 4
    this.#max = isLimited && (canCount || shape.max < members.length) ? shape.max : UNLIMITED
    this.#maxOthers = isLimited ? Math.max(0, shape.max - members.length) : UNLIMITED
    this.#counted = Math.max(1, this.#min, this.#max === UNLIMITED ? 0 : this.#max)
  }

  // The rest of an object is built inside what comes before it. Of many members, the last ones come
  // first, so that they fit on the stack.
  all(): Expression | undefined {
    for (let index = this.#members.length - STRIDE; index > 0; index -= STRIDE)
      for (let count = 0; count <= Math.min(index, this.#counted); count++)
        for (let met = 0; met < 1 << this.#shape.some.length; met++) this.from(index, count, met)
    return this.from(0, 0, 0)
  }

  /**
   * `met` is a bit for each property that has to be there. Undefined if there is no way to
   * continue.
   */
  from(index: number, count: number, met: number): Expression | undefined {
    const key = (index * (this.#counted + 1) + count) * 2 ** this.#shape.some.length + met
    if (!this.#known.has(key)) this.#known.set(key, this.#build(index, count, met))
    if (this.#known.size > MAX_STATES)
      throw new SchemaError(
        this.#shape.path,
        '"minProperties" and "maxProperties" can\'t be enforced for so many properties',
      )
    return this.#known.get(key)
  }

  #build(index: number, count: number, met: number): Expression | undefined {
    const member = this.#members[index]
    if (member === undefined) return this.#end(count, met)
    const { rules } = this.#conversion
    const options: Expression[] = []
    const add = (written: Expression, nowMet: number) => {
      const rest = this.from(index + 1, Math.min(count + 1, this.#counted), nowMet)
      if (rest !== undefined) options.push(sequence(...(count === 0 ? [] : [comma(rules)]), written, rest))
    }
    if (count < this.#max) {
      const asSome = member.asSome
        .map((written, bit) => ({ written, bit }))
        .filter(({ bit }) => (met & (1 << bit)) === 0)
      for (const { written, bit } of asSome) if (written !== undefined) add(written, met | (1 << bit))
      if (!asSome.some(({ written }) => written === member.written)) add(member.written, met)
    }
    const skipped = member.isRequired ? undefined : this.from(index + 1, count, met)
    if (skipped !== undefined) options.push(skipped)
    if (options.length === 0) return undefined
    return options.length === 1 ? options[0] : rules.add(count === 0 ? 'first' : 'next', choice(...options))
  }

  // Other properties can repeat a name, so they count as one towards a minimum, and the last of
  // them is the one that has to be there.
  #end(count: number, met: number): Expression | undefined {
    const [lacking, ...more] = this.#shape.some.filter((_, bit) => (met & (1 << bit)) === 0)
    const needed = Math.max(0, this.#min - count)
    const room = this.#max === UNLIMITED ? this.#maxOthers : this.#max - count
    if (more.length > 0 || needed > 1 || (needed > 0 && room < 1)) return undefined
    if (lacking !== undefined) return this.#endWithSome(lacking, count, room)
    if (this.#others === undefined || room < 1) return needed > 0 ? undefined : EMPTY
    const all = sequence(this.#first(count, this.#others), this.#more(this.#others, room - 1))
    return needed > 0 ? all : choice(all, EMPTY)
  }

  #endWithSome(some: SomeProperty, count: number, room: number): Expression | undefined {
    const last = someMember(this.#shape, some, this.#conversion)
    if (last === undefined || room < 1) return undefined
    return this.#first(count, last)
  }

  #first(count: number, written: Expression): Expression {
    return count === 0 ? written : sequence(comma(this.#conversion.rules), written)
  }

  #more(other: Expression, most: number): Expression {
    const { rules } = this.#conversion
    if (most <= 0) return EMPTY
    return repeat(
      rules.share(`more ${JSON.stringify(other)}`, () => sequence(comma(rules), other)),
      0,
      most,
    )
  }
}
