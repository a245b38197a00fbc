// The request of a job as it arrives at a device: in the clear, or sealed.

import { asObject, isAbsent, parseJson, type Fields } from '../read-fields.ts'
import { readChatJob } from './read-chat-job.ts'
import { sealedRequest, type JobRequest } from './sealed-request.ts'

export function readJobRequest(fields: Fields): JobRequest {
  return isAbsent(fields['sealed']) ? readChatJob(fields) : sealedRequest(fields, 'request')
}

/** A request that came in parts, once its text is complete. */
export function parseJobRequest(text: string): JobRequest {
  return readJobRequest(asObject(parseJson(text, 'a request in parts'), 'request'))
}
