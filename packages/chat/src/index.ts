// Reads chat requests and formats replies. The gateway does both, and so does hearth-seal on a person's own machine.

export { ByteBudget, type Full, type Reservation, type Owner } from './budget/byte-budget.ts'
export { PassingMap } from './budget/passing-map.ts'
export { API_ERRORS, ApiError, errorBody, isApiErrorCode, retryAfter, toApiError, type ApiErrorCode } from './errors.ts'
export { charactersOf, estimateTokens } from './estimate-tokens.ts'
export { flat } from './flat.ts'
export { gather } from './gather.ts'
export { readBody, readJson, scanBody, type Body } from './http/body/read-body.ts'
export { clientIdsOf } from './http/client-ids.ts'
export { pathOf, toOriginForm } from './http/paths.ts'
export { NodeOutlet } from './http/reply/node-outlet.ts'
export { MOST_PER_CONNECTION, OpenReplies } from './http/reply/open-replies.ts'
export { answerBrokenRequest, writeRawError } from './http/reply/raw-error.ts'
export { SharedBytes } from './http/reply/shared-bytes.ts'
export { CORS, EVENT_STREAM, KEEP_ALIVE, KEEP_ALIVE_MS, NO_SNIFF, toLines } from './http/reply/reply-headers.ts'
export { LAST_CHUNK, PIECE_BYTES, ReplyOutlet, encodingOf, frameChunk } from './http/reply/reply-outlet.ts'
export { newRequestId, randomHex } from './ids.ts'
export { readText, requireText, shorten } from './json/fields.ts'
export { MAX_DEPTH, MAX_VALUES } from './json/json-scan.ts'
export { noRoom } from './no-room.ts'
export type { Failed, Failure, Outcome } from './outcome.ts'
export { parseJson } from './json/parse-json.ts'
export {
  expectedTokens,
  memoryOf,
  prepareChat,
  type JobSize,
  type Prefix,
  type PreparedChat,
  type ReplyShape,
} from './prepare-chat.ts'
export { readChatRequest, type ReadLimits } from './read-chat-request.ts'
export { KNOWN_FIELDS } from './read/steps.ts'
export { Heartbeats } from './reply/heartbeats.ts'
export { budgetUsed, modelDisabled, outcomeCode, shuttingDown } from './reply/outcome-error.ts'
export { sendError, type Outlet } from './reply/outlet.ts'
export type { JobHandle, Placement, Reply, SerializedJob } from './reply/reply.ts'
export { EventStream } from './reply/event-stream.ts'
export { showEvent } from './reply/show-event.ts'
export { StreamReply } from './reply/stream-reply.ts'
export { WholeReply } from './reply/whole-reply.ts'
export { MAX_REPLY_BYTES, USUAL_LIMITS } from './usual-limits.ts'
