// Checks arguments that were written without a grammar: they are valid only if the grammar would have allowed them.

import { isObject, readProperties } from '@hearth/json-schema-grammar'
import type { JobTool } from '@hearth/protocol'
import type { Constraints } from './constraints.ts'
import type { ReadCall } from '../../formats/tool-calls.ts'

export async function verifyCall(
  call: ReadCall,
  tools: readonly JobTool[],
  constraints: Constraints,
): Promise<ReadCall | undefined> {
  const args: unknown = JSON.parse(call.arguments)
  if (!isObject(args)) return undefined
  const order = [...readProperties(tools.find(({ name }) => name === call.name)?.parameters ?? {}).keys()]
  const sorted = Object.entries(args).toSorted(([a], [b]) => place(order, a) - place(order, b))
  const text = JSON.stringify(Object.fromEntries(sorted))
  const grammar = await constraints.argumentsOf(call.name)
  return grammar?.matches(text) === true ? { ...call, arguments: text } : undefined
}

// The grammar expects named properties in the order of the schema, then the others.
function place(order: readonly string[], name: string): number {
  const at = order.indexOf(name)
  return at < 0 ? order.length : at
}
