// Collects the parts of tool calls until the choice ends, so that they are delivered complete.

import type { ToolCall } from '@hearth/protocol'
import { newCallId } from '../../formats/tool-calls.ts'
import type { CallPart } from '../http/chunk.ts'

export class ToolCallParts {
  readonly #calls: (ToolCall & { index: number })[] = []

  push(part: CallPart): void {
    const last = this.#calls.findLast((call) => call.index === part.index)
    // Some servers number all calls 0, so a different id or name starts a new call.
    const isNew = last === undefined || isOther(last, part)
    if (isNew)
      this.#calls.push({ index: part.index, id: part.id ?? '', name: part.name ?? '', arguments: part.arguments })
    else {
      last.id ||= part.id ?? ''
      last.name ||= part.name ?? ''
      last.arguments += part.arguments
    }
  }

  /** Returns only complete calls, not those of an answer that was cut off. The ids are ours, because some servers send none or repeat them. */
  take(): ToolCall[] {
    return this.#calls.filter(isComplete).map(({ name, arguments: given }) => ({
      id: newCallId(),
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
