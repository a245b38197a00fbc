// The name under which devices know a key: the same for all its requests, different for every key, and it doesn't reveal the key's id.

import { hash } from 'node:crypto'
import type { PrefixScope } from '@hearth/protocol'
import type { Caller } from './book/access-book.ts'

const NAME_LENGTH = 32
const scopes = new WeakMap<Caller, PrefixScope>()

export function prefixScope(caller: Caller): PrefixScope {
  const known = scopes.get(caller)
  if (known) return known
  const name = hash('sha256', `prefix scope of ${caller.key}`).slice(0, NAME_LENGTH)
  const scope = { name, ...(caller.separatesPrefixes && { isSeparate: true }) }
  scopes.set(caller, scope)
  return scope
}
