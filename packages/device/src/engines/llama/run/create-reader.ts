// Chooses the reader for a job's reply, and reads its calls when the reply is complete.

import type { ChatJob } from '@hearth/protocol'
import { textOf } from '../reply/marks.ts'
import { MessageReader } from '../reply/message-reader.ts'
import { TagReader, type ReplyReader } from '../reply/reply-reader.ts'
import { findCalls, readCalls, readCutCalls, type CutCalls, type ReadCall } from '../../formats/tool-calls.ts'
import type { ModelProfile } from './model-profile.ts'
import type { Prompt } from './prompt.ts'

export function createReader({ dialect }: ModelProfile, job: ChatJob, prompt: Prompt): ReplyReader {
  if (dialect !== undefined)
    return new MessageReader(
      dialect,
      prompt.tools.map(({ name }) => name),
    )
  const { calls } = prompt.marks
  if (job.responseFormat === undefined || calls === undefined) return new TagReader(prompt.marks)
  // With a response format, text that looks like a call may be part of the content.
  const triggers = calls.triggers.map((trigger) => ({ ...trigger, isOnlyFirst: true }))
  return new TagReader({ ...prompt.marks, calls: { triggers } })
}

/** Valid after the reader's end. Undefined if the reply has no complete calls. */
export function readCallsOf(reader: ReplyReader, { syntax, tools }: Prompt): ReadCall[] | undefined {
  if (reader.calls.length === 0) return undefined
  const text = textOf(reader.calls)
  return reader.isThinking ? findCalls(text, syntax, tools) : readCalls(text, syntax, tools)
}

/** The same for a reply that its token limit ended. While the model thinks, the beginning of a call is only a thought. */
export function readCutCallsOf(reader: ReplyReader, prompt: Prompt): CutCalls | undefined {
  if (reader.calls.length === 0) return undefined
  const { syntax, tools } = prompt
  if (!reader.isThinking) return readCutCalls(textOf(reader.calls), syntax, tools)
  const calls = readCallsOf(reader, prompt)
  return calls && { calls, isCut: false }
}
