// Changes a JSON value in a few random places.

import type { Random } from '@hearth/gateway/testing'
import { KEYS, oddValue } from './odd-values.ts'

type Container = unknown[] | Record<string, unknown>

export function mutateJson(value: unknown, random: Random, changes: number): unknown {
  const copy: unknown = structuredClone(value)
  const root: Container = [copy]
  for (let change = 0; change < changes; change++) mutateOnce(root, random)
  return root[0] ?? null
}

function mutateOnce(root: Container, random: Random): void {
  const containers = listContainers(root)
  const place = random.pick(containers)
  const keys = Object.keys(place)
  const key = keys.length > 0 ? random.pick(keys) : random.pick(KEYS)
  random.pick([
    () => put(place, key, oddValue(random)),
    () => put(place, key, oddValue(random)),
    () => put(place, random.pick(KEYS), oddValue(random)),
    () => remove(place, key),
    () => put(place, key, structuredClone(random.pick(containers))),
    () => put(place, key, [read(place, key), read(place, key)]),
    () => Array.isArray(place) && place.push(place.shift()),
  ])()
}

function read(place: Container, key: string): unknown {
  return Object.getOwnPropertyDescriptor(place, key)?.value
}

/** As JSON.parse does it: `__proto__` is a field like any other. */
function put(place: Container, key: string, value: unknown): void {
  if (!Array.isArray(place))
    Object.defineProperty(place, key, { value, enumerable: true, writable: true, configurable: true })
  else if (/^\d+$/.test(key)) place[Number(key)] = value
  else place.push(value)
}

function remove(place: Container, key: string): void {
  if (Array.isArray(place)) place.splice(Number(key), 1)
  else delete place[key]
}

/** The value's arrays and objects. */
function listContainers(value: unknown, found: Container[] = []): Container[] {
  if (typeof value !== 'object' || value === null || found.length > 200) return found
  found.push(value as Container)
  for (const key of Object.keys(value)) listContainers(read(value as Container, key), found)
  return found
}
