export * from './job/chat-event.ts'
export type * from './job/chat-job.ts'
export { readClientIds, REQUEST_ID, traceOf, TRACEPARENT, type ClientIds } from './job/client-ids.ts'
export {
  isSealed,
  type BegunAttempt,
  type JobRequest,
  type SealedJob,
  type SealedRequest,
  type WrappedKey,
} from './job/sealed-request.ts'
export * from './frames/codec.ts'
export * from './frames/read-device-frame.ts'
export * from './features.ts'
export { CLOSE, PROTOCOL_VERSIONS } from './frames/frames.ts'
export type * from './device/device-state.ts'
export type * from './frames/frames.ts'
export * from './device/plain-source.ts'
export type { PieceWanted, SharedFile, SharedModel } from './device/sharing.ts'
export type { Energy, EnergyPart } from './device/energy.ts'
export * from './device/machine.ts'
export type { ModelDefaults, SentDefaults } from './device/model-defaults.ts'
export type * from './device/library.ts'
export { DOWNLOAD_STATES } from './device/library.ts'
export { fieldNeeds, jobNeeds, type Need } from './job/job-fields.ts'
export * from './limits.ts'
export { parseChatJob, parseJobRequest } from './job/read-chat-job.ts'
export * from './recovery/reply-record.ts'
export * from './recovery/sealed-record.ts'
export * from './recovery/text-sum.ts'
export { isObject, ProtocolError, type Fields } from './read-fields.ts'
