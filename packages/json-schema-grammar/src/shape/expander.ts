// Works out the shapes of a schema: combines `allOf`, `anyOf`, `oneOf`, `not`, `if`, references and the rest into alternatives that no
// longer refer to each other. To invert a schema, every keyword is violated in turn.

import { NothingFits, SchemaError, below } from '../schema/schema-error.ts'
import {
  impliedTypes,
  isObject,
  readNames,
  readSchemas,
  readTypes,
  type Schema,
  type SchemaObject,
  type TypeName,
} from '../schema/schema-object.ts'
import { limitUnevaluated, readArrayShape, violateArray } from './array-shape.ts'
import { joinShapes, type Join } from './join-shapes.ts'
import { exactlyOne, type Branch } from './exactly-one.ts'
import {
  hideLayers,
  limitUnnamed,
  readObjectShape,
  violateObject,
  withProperty,
  withoutProperty,
} from './object-shape.ts'
import { readNumberShape, violateNumber } from './number-shape.ts'
import { References } from '../schema/references.ts'
import {
  anyArrayShape,
  anyNumberShape,
  anyObjectShape,
  anyShapes,
  anyStringShape,
  type Intent,
  type Shape,
} from './shape.ts'
import { isValueInShape } from './value-in-shape.ts'
import { readStringShape, violateString } from './string-shape.ts'
import { ANYTHING, isNever, termOf, type Term, type TermPart } from './term.ts'
import { violateValues } from './violate-values.ts'

/** Combining schemas multiplies them; a schema that needs more steps than this is treated as an attack. */
const MAX_STEPS = 20_000
const MAX_SHAPES = 96

export class Expander implements Join {
  readonly #references: References
  readonly #ids = new Map<SchemaObject, number>()
  readonly #known = new Map<string, readonly Shape[]>()
  readonly #terms = new Map<string, readonly Shape[]>()
  /** Schemas that are being worked out. */
  readonly #open = new Set<string>()
  #steps = 0
  /** Why the last two shapes had no value in common. */
  conflict: string | undefined

  constructor(root: Schema) {
    this.#references = new References(root)
  }

  /** Equal for terms with the same schemas. */
  keyOf(term: Term): string {
    return term
      .map(({ schema, isNegated }) => `${isNegated ? '!' : ''}${schema === false ? 'never' : this.#idOf(schema)}`)
      .sort()
      .join(' ')
  }

  #idOf(schema: SchemaObject): number {
    let id = this.#ids.get(schema)
    if (id === undefined) this.#ids.set(schema, (id = this.#ids.size))
    return id
  }

  /** The shapes of the values that match all parts of a term. */
  expand(term: Term): readonly Shape[] {
    const key = this.keyOf(term)
    const known = this.#terms.get(key)
    if (known !== undefined) return known
    const shapes = term.map((part) => this.#expandPart(part))
    const [first = anyShapes('open', '#'), ...others] = shapes
    const joined = others.reduce((all, more, index) => this.joinAll(all, more, term[index + 1]!.path), first)
    this.#terms.set(key, joined)
    return joined
  }

  isImpossible(term: Term): boolean {
    if (isNever(term)) return true
    if (term.length === 0 || this.#open.has(this.keyOf(term))) return false
    try {
      return this.#guarded(this.keyOf(term), term[0]!.path, () => this.expand(term).length === 0)
    } catch (error) {
      // It can't be enforced; code that needs it throws.
      if (error instanceof SchemaError) return error instanceof NothingFits
      throw error
    }
  }

  isValueIn(value: unknown, term: Term): boolean {
    return this.expand(term).some((shape) => isValueInShape(value, shape, this))
  }

  joinAll(a: readonly Shape[], b: readonly Shape[], path: string): readonly Shape[] {
    const joined = a.flatMap((one) => b.flatMap((other) => this.join(one, other) ?? []))
    if (
      joined.length === 0 &&
      a.length > 0 &&
      b.length > 0 &&
      !a.some(({ type }) => b.some((other) => other.type === type || [type, other.type].includes('values')))
    )
      this.conflict = `no value is both ${typesOf(a)} and ${typesOf(b)}`
    if (joined.length > MAX_SHAPES) throw new SchemaError(path, 'too many combinations of alternatives')
    return joined
  }

  join(a: Shape, b: Shape): Shape | undefined {
    this.#count('#')
    return joinShapes(a, b, this)
  }

  #count(path: string): void {
    if (++this.#steps > MAX_STEPS) throw new SchemaError(path, 'the schema is too complex')
  }

  #guarded<Result>(key: string, path: string, make: () => Result): Result {
    if (this.#open.has(key)) throw new SchemaError(path, 'the references form a cycle')
    this.#open.add(key)
    try {
      return make()
    } finally {
      this.#open.delete(key)
    }
  }

  #expandPart({ schema, path, isNegated }: TermPart): readonly Shape[] {
    if (schema === false) return isNegated ? anyShapes('open', path) : []
    const key = this.keyOf([{ schema, path, isNegated }])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#count(path)
    const shapes = this.#guarded(`part ${key}`, path, () =>
      isNegated ? this.#violate(schema, path) : this.#match(schema, path),
    )
    this.#known.set(key, shapes)
    return shapes
  }

  /** The shapes of a schema inside another one that apply to the same value. */
  #inside(schema: Schema, path: string, isNegated = false): readonly Shape[] {
    if (typeof schema === 'boolean') return schema === isNegated ? [] : anyShapes('open', path)
    return this.#expandPart({ schema, path, isNegated })
  }

  #match(schema: SchemaObject, path: string): readonly Shape[] {
    let shapes = matchOwn(schema, path)
    const limit = (more: readonly Shape[], at: string) => {
      shapes = this.joinAll(shapes, more, at)
    }
    const target = this.#references.resolve(schema, path)
    if (target !== undefined) limit(this.#inside(target.schema, target.path), path)
    readSchemas(schema, 'allOf').forEach((part, index) => {
      const at = below(path, 'allOf', index)
      limit(this.#inside(part, at), at)
    })
    if (schema['anyOf'] !== undefined) limit(this.#anyOf(schema, path), below(path, 'anyOf'))
    if (schema['oneOf'] !== undefined) limit(this.#oneOf(schema, path), below(path, 'oneOf'))
    if (schema['not'] !== undefined) limit(this.#not(schema, path), below(path, 'not'))
    if (schema['if'] !== undefined) limit(this.#condition(schema, path), below(path, 'if'))
    for (const [more, at] of this.#dependents(schema, path)) limit(more, at)
    // Last, because a list of values is checked against everything else.
    const values = readValues(schema, path)
    if (values !== undefined) shapes = this.#pick(values, shapes)
    return this.#limitRest(schema, path, shapes)
  }

  #pick(values: readonly unknown[], shapes: readonly Shape[]): readonly Shape[] {
    const fitting = values.filter((value) => shapes.some((shape) => isValueInShape(value, shape, this)))
    if (fitting.length === 0) this.conflict = 'none of the values matches the rest of the schema'
    return fitting.length === 0 ? [] : [{ type: 'values', values: fitting, intent: 'meant' }]
  }

  #anyOf(schema: SchemaObject, path: string): readonly Shape[] {
    return readSchemas(schema, 'anyOf').flatMap((option, index) => this.#inside(option, below(path, 'anyOf', index)))
  }

  // What a `not` says about properties and items doesn't count as evaluating them.
  #not(schema: SchemaObject, path: string): readonly Shape[] {
    return this.#inside(schema['not'] as Schema, below(path, 'not'), true).map((shape) => {
      if (shape.type === 'object') return hideLayers(shape)
      return shape.type === 'array' ? { ...shape, evaluated: 0 } : shape
    })
  }

  #oneOf(schema: SchemaObject, path: string): readonly Shape[] {
    return exactlyOne(this.#branches(schema, path), below(path, 'oneOf'), this)
  }

  #branches(schema: SchemaObject, path: string): Branch[] {
    return readSchemas(schema, 'oneOf').map((option, index) => {
      const at = below(path, 'oneOf', index)
      return { shapes: this.#inside(option, at), inverted: () => this.#inside(option, at, true) }
    })
  }

  #condition(schema: SchemaObject, path: string): readonly Shape[] {
    const condition = schema['if'] as Schema
    const at = below(path, 'if')
    const branch = (keyword: 'then' | 'else', isNegated: boolean): readonly Shape[] => {
      const shapes = this.#inside(condition, at, isNegated)
      const consequence = schema[keyword] as Schema | undefined
      if (consequence === undefined || shapes.length === 0) return shapes
      return this.joinAll(shapes, this.#inside(consequence, below(path, keyword)), below(path, keyword))
    }
    if (schema['then'] === undefined && schema['else'] === undefined) return anyShapes('open', path)
    return [...branch('then', false), ...branch('else', true)]
  }

  #dependents(schema: SchemaObject, path: string): [readonly Shape[], string][] {
    return readDependents(schema, path).map(({ name, at, required, dependent }) => {
      const present = [
        { ...withProperty(path, name, ANYTHING), intent: 'open' as const, required: [name, ...required] },
      ]
      const following = dependent === undefined ? present : this.joinAll(present, this.#inside(dependent, at), at)
      const others = anyShapes('incidental', path).filter(({ type }) => type !== 'object')
      return [[{ ...withoutProperty(path, name), intent: 'open' }, ...following, ...others], at]
    })
  }

  #limitRest(schema: SchemaObject, path: string, shapes: readonly Shape[]): readonly Shape[] {
    const { unevaluatedProperties: properties, unevaluatedItems: items } = schema
    const limited = (value: unknown, keyword: string) => termOf(value as Schema, below(path, keyword))
    if (properties === undefined && items === undefined) return shapes
    return shapes.map((shape) => {
      if (shape.type === 'object' && properties !== undefined)
        return limitUnnamed(shape, limited(properties, 'unevaluatedProperties'))
      if (shape.type === 'array' && items !== undefined)
        return limitUnevaluated(shape, limited(items, 'unevaluatedItems'))
      return shape
    })
  }

  /** The shapes of values that don't match a schema: each violates one of its keywords. */
  #violate(schema: SchemaObject, path: string): readonly Shape[] {
    const target = this.#references.resolve(schema, path)
    const values = readValues(schema, path)
    return [
      ...violateOwn(schema, path),
      ...(values === undefined ? [] : violateValues(values, path)),
      ...(target === undefined ? [] : this.#inside(target.schema, target.path, true)),
      ...readSchemas(schema, 'allOf').flatMap((part, index) => this.#inside(part, below(path, 'allOf', index), true)),
      ...(schema['anyOf'] === undefined ? [] : this.#noneOf(schema, 'anyOf', path)),
      ...(schema['oneOf'] === undefined ? [] : this.#noneOrSeveral(schema, path)),
      ...(schema['not'] === undefined ? [] : this.#inside(schema['not'] as Schema, below(path, 'not'))),
      ...(schema['if'] === undefined ? [] : this.#violateCondition(schema, path)),
      ...this.#violateDependents(schema, path),
    ]
  }

  #noneOf(schema: SchemaObject, keyword: 'anyOf' | 'oneOf', path: string): readonly Shape[] {
    return readSchemas(schema, keyword)
      .map((option, index) => this.#inside(option, below(path, keyword, index), true))
      .reduce((all, more) => this.joinAll(all, more, below(path, keyword)))
  }

  #noneOrSeveral(schema: SchemaObject, path: string): readonly Shape[] {
    const branches = this.#branches(schema, path)
    const pairs = branches.flatMap((one, index) =>
      branches.slice(index + 1).flatMap((other) => this.joinAll(one.shapes, other.shapes, below(path, 'oneOf'))),
    )
    return [...this.#noneOf(schema, 'oneOf', path), ...pairs]
  }

  #violateCondition(schema: SchemaObject, path: string): readonly Shape[] {
    return (['then', 'else'] as const).flatMap((keyword) => {
      const consequence = schema[keyword] as Schema | undefined
      if (consequence === undefined) return []
      const condition = this.#inside(schema['if'] as Schema, below(path, 'if'), keyword === 'else')
      return this.joinAll(condition, this.#inside(consequence, below(path, keyword), true), below(path, keyword))
    })
  }

  #violateDependents(schema: SchemaObject, path: string): readonly Shape[] {
    return readDependents(schema, path).flatMap(({ name, at, required, dependent }) => {
      const present = [withProperty(path, name, ANYTHING)]
      const lacking = required.map((lacked) => withoutProperty(path, lacked))
      const violated = dependent === undefined ? lacking : this.#inside(dependent, at, true)
      return this.joinAll(present, violated, at)
    })
  }
}

function typesOf(shapes: readonly Shape[]): string {
  return [
    ...new Set(shapes.map((shape) => (shape.type === 'number' && shape.isInteger ? 'integer' : shape.type))),
  ].join(' or ')
}

interface Dependent {
  name: string
  at: string
  required: readonly string[]
  dependent: Schema | undefined
}

// `dependencies` is the older keyword for both.
function readDependents(schema: SchemaObject, path: string): Dependent[] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) => {
    const value = schema[keyword]
    if (!isObject(value)) return []
    return Object.keys(value).map((name) => {
      const at = below(path, keyword, name)
      return Array.isArray(value[name])
        ? { name, at, required: readNames(value, name, below(path, keyword)), dependent: undefined }
        : { name, at, required: [], dependent: value[name] as Schema }
    })
  })
}

function readValues(schema: SchemaObject, path: string): readonly unknown[] | undefined {
  const listed = schema['enum']
  if (listed !== undefined && !Array.isArray(listed)) throw new SchemaError(below(path, 'enum'), 'must be a list')
  if (schema['const'] === undefined) return listed
  const isListed =
    listed === undefined || listed.some((value) => JSON.stringify(value) === JSON.stringify(schema['const']))
  return isListed ? [schema['const']] : []
}

/** The shapes of the keywords that are about one type each. */
function matchOwn(schema: SchemaObject, path: string): readonly Shape[] {
  const types = readTypes(schema, path)
  const implied = impliedTypes(schema)
  const intentOf = (type: TypeName): Intent => {
    if (types !== undefined || implied.includes(type)) return 'meant'
    return implied.length > 0 ? 'incidental' : 'open'
  }
  const allowed = (type: TypeName) => types === undefined || types.includes(type)
  const shapes: Shape[] = []
  if (allowed('object')) shapes.push(readObjectShape(schema, path, intentOf('object')))
  if (allowed('array')) shapes.push(readArrayShape(schema, path, intentOf('array')))
  if (allowed('string')) shapes.push(readStringShape(schema, path, intentOf('string')))
  if (allowed('number')) shapes.push(readNumberShape(schema, path, intentOf('number')))
  else if (allowed('integer')) shapes.push({ ...readNumberShape(schema, path, 'meant'), isInteger: true })
  if (allowed('boolean'))
    shapes.push(...(['true', 'false'] as const).map((type) => ({ type, intent: intentOf('boolean') })))
  if (allowed('null')) shapes.push({ type: 'null', intent: intentOf('null') })
  return shapes
}

function violateOwn(schema: SchemaObject, path: string): readonly Shape[] {
  const types = readTypes(schema, path)
  const wrongType = types === undefined ? [] : otherTypes(types, path)
  return [
    ...wrongType,
    ...violateObject(schema, path),
    ...violateArray(schema, path),
    ...violateString(schema, path),
    ...violateNumber(readNumberShape(schema, path, 'meant')),
  ]
}

function otherTypes(types: readonly TypeName[], path: string): Shape[] {
  const isOther = (type: TypeName) => !types.includes(type)
  const shapes: Shape[] = []
  if (isOther('object')) shapes.push(anyObjectShape('open', path))
  if (isOther('array')) shapes.push(anyArrayShape('open', path))
  if (isOther('string')) shapes.push(anyStringShape('open', path))
  if (isOther('number')) shapes.push({ ...anyNumberShape('open'), isInteger: isOther('integer') ? undefined : false })
  if (isOther('boolean')) shapes.push({ type: 'true', intent: 'open' }, { type: 'false', intent: 'open' })
  if (isOther('null')) shapes.push({ type: 'null', intent: 'open' })
  return shapes
}
