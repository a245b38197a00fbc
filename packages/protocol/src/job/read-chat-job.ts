// A job as it arrives at a device. Every field is read by its entry in the table of job fields; a
// field that is not there is unknown and is skipped.

import type { ChatJob } from './chat-job.ts'
import { JOB_FIELDS, JOB_FIELD_NAMES } from './job-fields.ts'
import { asObject, isAbsent, parseJson, ProtocolError, type Fields } from '../read-fields.ts'
import { sealedRequest, type JobRequest } from './sealed-request.ts'

function readChatJob(fields: Fields): ChatJob {
  const job: Partial<ChatJob> = {}
  for (const name of JOB_FIELD_NAMES) readField(fields, name, job)
  const { model, messages, ...options } = job
  if (model === undefined) throw new ProtocolError('"model" is missing')
  if (messages === undefined) throw new ProtocolError('"messages" is missing')
  return { model, messages, ...options }
}

function readField<Name extends keyof ChatJob>(fields: Fields, name: Name, job: Partial<Pick<ChatJob, Name>>): void {
  if (isAbsent(fields[name])) return
  const value: Required<ChatJob>[Name] = JOB_FIELDS[name].read(fields[name], name)
  job[name] = value
}

/** A job that came as text of its own. */
export function parseChatJob(text: string): ChatJob {
  return readChatJob(asObject(parseJson(text, 'a request'), 'request'))
}

/** The request of a job: in the clear, or sealed. */
export function readJobRequest(fields: Fields): JobRequest {
  return isAbsent(fields['sealed']) ? readChatJob(fields) : sealedRequest(fields, 'request')
}

/** A request that came in parts, once its text is complete. */
export function parseJobRequest(text: string): JobRequest {
  return readJobRequest(asObject(parseJson(text, 'a request in parts'), 'request'))
}
