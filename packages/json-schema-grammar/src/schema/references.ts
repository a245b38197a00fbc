// Finds the schemas that references point to: by JSON pointer, by anchor, or by the ID of a schema
// inside the document.

import { SchemaCheck } from './check-schema.ts'
import { hasEffect, kindOf, type Kind } from './keywords.ts'
import { SchemaError, below } from './schema-error.ts'
import { followReference, isObject, type Schema, type SchemaObject } from './schema-object.ts'
import { getOrMake } from '../get-or-make.ts'

const NO_BASE = 'schema:/'
/** Keywords that don't limit a value. */
const BESIDE = new Set(['$ref', '$defs', 'definitions'])

export interface Target {
  schema: Schema
  path: string
}

interface Place {
  readonly schema: SchemaObject
  readonly path: string
}

export class References {
  readonly #root: Schema
  readonly #bases = new Map<object, string>()
  readonly #named = new Map<string, Target>()
  readonly #dynamic = new Map<string, Target[]>()
  readonly #check = new SchemaCheck()
  /**
   * References that lead nowhere: a schema can ask for them hundreds of times, and making an error
   * is slow.
   */
  readonly #broken = new Map<SchemaObject, SchemaError>()
  /** What schemas that do nothing but refer lead to, and what pointers from the root do. */
  readonly #behind = new Map<SchemaObject, Place>()
  readonly #pointed = new Map<string, Target>()
  #isIndexed = false

  /** Throws SchemaError if the schema is malformed or too large. */
  constructor(root: Schema) {
    this.#root = root
    this.#check.check(root, '#')
  }

  resolve(schema: SchemaObject, path: string): Target | undefined {
    const broken = this.#broken.get(schema)
    if (broken !== undefined) throw broken
    try {
      const target = this.#find(schema, path)
      if (target !== undefined) this.#check.check(target.schema, target.path)
      return target
    } catch (error) {
      if (error instanceof SchemaError) this.#broken.set(schema, error)
      throw error
    }
  }

  /** The address that the references of a schema are relative to. */
  baseOf(schema: SchemaObject): string {
    this.#indexOnce()
    return this.#bases.get(schema) ?? NO_BASE
  }

  /** The schema itself, or the one that it does nothing but refer to. */
  behind(schema: SchemaObject, path: string): Place {
    if (schema['$ref'] === undefined) return { schema, path }
    const known = this.#behind.get(schema)
    if (known !== undefined) return known
    const place = this.#findBehind({ schema, path })
    if (place.schema !== schema) this.#behind.set(schema, place)
    return place
  }

  #findBehind(from: Place): Place {
    let place = from
    // References that form a cycle lead nowhere; whoever expands them says so.
    for (const seen = new Set<SchemaObject>(); isOnlyReference(place.schema) && !seen.has(place.schema);) {
      seen.add(place.schema)
      const target = this.#tryResolve(place)
      if (target === undefined || !isObject(target.schema)) break
      place = { schema: target.schema, path: target.path }
    }
    return place
  }

  #tryResolve({ schema, path }: Place): Target | undefined {
    try {
      return this.resolve(schema, path)
    } catch (error) {
      // Nothing is built from a reference that isn't expanded, so only expanding it is an error.
      if (error instanceof SchemaError) return undefined
      throw error
    }
  }

  #find(schema: SchemaObject, path: string): Target | undefined {
    const { $ref, $dynamicRef, $recursiveRef } = schema
    const reference = $ref ?? $dynamicRef
    if (reference === undefined && $recursiveRef === undefined) return undefined
    this.#indexOnce()
    if ($recursiveRef !== undefined) return this.#recursive(path)
    const keyword = $ref === undefined ? '$dynamicRef' : '$ref'
    if (typeof reference !== 'string') throw new SchemaError(below(path, keyword), 'must be a string')
    if ($ref === undefined) this.#requireOneAnchor(reference, path)
    return this.#follow(reference, this.baseOf(schema), below(path, keyword), path)
  }

  #follow(reference: string, base: string, at: string, path: string): Target {
    const isPointer = reference === '#' || reference.startsWith('#/')
    if (isPointer && base === NO_BASE) return this.#fromRoot(reference, path)
    const [address, fragment = ''] = toAddress(reference, base, at).split('#', 2) as [string, string?]
    const resource = this.#named.get(address) ?? (address === NO_BASE ? { schema: this.#root, path: '#' } : undefined)
    const found = fragment === '' || fragment.startsWith('/') ? resource : this.#named.get(`${address}#${fragment}`)
    if (found === undefined && isPointer) return this.#fromRoot(reference, path)
    if (found === undefined) throw new SchemaError(at, 'only references inside the schema ("#/…") are supported')
    return fragment.startsWith('/') ? this.#byPointer(found, `#${fragment}`, path) : found
  }

  #fromRoot(pointer: string, path: string): Target {
    return getOrMake(this.#pointed, pointer, () => this.#byPointer({ schema: this.#root, path: '#' }, pointer, path))
  }

  #byPointer(resource: Target, pointer: string, path: string): Target {
    const schema = followReference(resource.schema, pointer, path)
    return { schema, path: resource.path + pointer.slice(1) }
  }

  // A dynamic reference can lead elsewhere depending on the way taken; with a single anchor there
  // is only one place.
  #requireOneAnchor(reference: string, path: string): void {
    const anchors = this.#dynamic.get(reference.slice(reference.indexOf('#') + 1)) ?? []
    if (anchors.length > 1) throw new SchemaError(path, `"$dynamicRef" can't be enforced`, '$dynamicRef')
  }

  #recursive(path: string): Target {
    if (this.#dynamic.has('') || this.#named.size > 1)
      throw new SchemaError(path, `"$recursiveRef" can't be enforced`, '$recursiveRef')
    return { schema: this.#root, path: '#' }
  }

  #indexOnce(): void {
    if (!this.#isIndexed) this.#index(this.#root, [], NO_BASE)
    this.#isIndexed = true
  }

  /** `steps` lead to the schema. */
  #index(schema: unknown, steps: (string | number)[], base: string): void {
    if (!isObject(schema)) return
    const own = this.#note(schema, steps, base)
    this.#bases.set(schema, own)
    for (const keyword of Object.keys(schema)) {
      const kind = kindOf(keyword)
      if (kind === undefined || kind === 'value') continue
      steps.push(keyword)
      this.#indexInside(kind, schema[keyword], steps, own)
      steps.pop()
    }
  }

  #indexInside(kind: Kind, value: unknown, steps: (string | number)[], base: string): void {
    if (kind === 'single' && !Array.isArray(value)) return this.#index(value, steps, base)
    const children = (kind === 'named' ? isObject(value) : Array.isArray(value)) ? Object.entries(value as object) : []
    for (const [step, child] of children) {
      steps.push(step)
      this.#index(child, steps, base)
      steps.pop()
    }
  }

  /**
   * Notes the names of a schema and returns the address that references inside it are relative to.
   */
  #note(schema: SchemaObject, steps: readonly (string | number)[], base: string): string {
    const { $id, id, $anchor, $dynamicAnchor, $recursiveAnchor, $ref } = schema
    // Before 2019-09, keywords beside a reference had no effect.
    const named = $ref === undefined ? ($id ?? id) : undefined
    if ([named, $anchor, $dynamicAnchor, $recursiveAnchor].every((name) => name === undefined)) return base
    const path = below('#', ...steps)
    const target = { schema, path }
    let own = base
    if (typeof named === 'string') {
      const [address, fragment] = toAddress(named, base, path).split('#', 2) as [string, string?]
      if (named.startsWith('#')) this.#named.set(`${base}#${fragment}`, target)
      else this.#named.set((own = address), target)
    }
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string') this.#named.set(`${own}#${anchor}`, target)
    const dynamic = $recursiveAnchor === true ? '' : $dynamicAnchor
    if (typeof dynamic === 'string') this.#dynamic.set(dynamic, [...(this.#dynamic.get(dynamic) ?? []), target])
    return own
  }
}

function isOnlyReference(schema: SchemaObject): boolean {
  return (
    schema['$ref'] !== undefined && Object.keys(schema).every((keyword) => BESIDE.has(keyword) || !hasEffect(keyword))
  )
}

function toAddress(reference: string, base: string, path: string): string {
  try {
    return decodeURIComponent(new URL(reference, base).href)
  } catch {
    throw new SchemaError(path, 'not a valid reference')
  }
}
