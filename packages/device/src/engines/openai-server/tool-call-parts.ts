// Gathers the parts of tool calls until the choice has ended, so that they leave whole.

import { randomBytes } from 'node:crypto'
import type { ToolCall } from '@hearth/protocol'
import type { CallPart } from './chunk.ts'

export class ToolCallParts {
  readonly #calls: (ToolCall & { index: number })[] = []

  push(part: CallPart): void {
    const last = this.#calls.findLast((call) => call.index === part.index)
    // Some servers number all calls 0: another id or another name begins a new one.
    const isNew = last === undefined || isOther(last, part)
    if (isNew)
      this.#calls.push({ index: part.index, id: part.id ?? '', name: part.name ?? '', arguments: part.arguments })
    else {
      last.id ||= part.id ?? ''
      last.name ||= part.name ?? ''
      last.arguments += part.arguments
    }
  }

  /** Only calls that are complete: those of an answer that was cut off are not. The ids are ours: some servers give none, or all the same. */
  take(): ToolCall[] {
    return this.#calls.filter(isComplete).map(({ name, arguments: given }) => ({
      id: `call_${randomBytes(12).toString('hex')}`,
      name,
      arguments: given === '' ? '{}' : given,
    }))
  }
}

function isOther(call: ToolCall, part: CallPart): boolean {
  if (part.id !== undefined && call.id !== '' && part.id !== call.id) return true
  return part.name !== undefined && part.id === undefined && call.arguments !== '' && isComplete(call)
}

function isComplete({ name, arguments: given }: ToolCall): boolean {
  if (name === '') return false
  try {
    return given === '' || typeof JSON.parse(given) === 'object'
  } catch {
    return false
  }
}
