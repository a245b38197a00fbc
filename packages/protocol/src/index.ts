export type { ChatEvent, FinishReason, TokenLogprob, UrlCitation, Usage } from './job/chat-event.ts'
export type {
  BegunChoice,
  ChatJob,
  JobMessage,
  JobTool,
  JsonSchema,
  PrefixScope,
  Recovery,
  ResponseFormat,
  ToolCall,
  WebSearch,
} from './job/chat-job.ts'
export { readClientIds, REQUEST_ID, traceOf, TRACEPARENT, type ClientIds } from './job/client-ids.ts'
export {
  isSealed,
  type BegunAttempt,
  type JobRequest,
  type SealedJob,
  type SealedRequest,
  type WrappedKey,
} from './job/sealed-request.ts'
export {
  addBegun,
  addRecovery,
  encodeFrame,
  encodeJobStart,
  joinFrames,
  parseDeviceFrames,
  parseGatewayFrames,
} from './frames/codec.ts'
export { readDeviceFrame } from './frames/read-device-frame.ts'
export { FEATURES, isFeature, type Feature } from './features.ts'
export { CLOSE, PROTOCOL_VERSIONS } from './frames/frames.ts'
export type {
  BackendProblem,
  DeviceBackend,
  DeviceModel,
  ModelPresence,
  ModelSizing,
  Rest,
  RestReason,
} from './device/device-state.ts'
export type {
  CancelReason,
  DeviceFrame,
  GatewayFrame,
  Hello,
  JobAttempt,
  JobDelta,
  JobEnd,
  JobError,
  JobErrorCode,
  JobSealed,
  JobStart,
  JobStartHead,
  ProgressPhase,
  RefuseReason,
} from './frames/frames.ts'
export { plainSource, withPlainSources } from './device/plain-source.ts'
export type { PieceWanted, SharedFile, SharedModel } from './device/sharing.ts'
export type { Energy, EnergyPart } from './device/energy.ts'
export { readMachine, type Machine } from './device/machine.ts'
export type { ModelDefaults, SentDefaults } from './device/model-defaults.ts'
export type {
  Download,
  DownloadState,
  FoundModel,
  KeptModel,
  Library,
  ModelProblem,
  ModelProblemCode,
  ModelReply,
  ModelRequest,
  ModelRequestFrame,
} from './device/library.ts'
export { DOWNLOAD_STATES } from './device/library.ts'
export { fieldNeeds, jobNeeds, type Need } from './job/job-fields.ts'
export * from './limits.ts'
export { parseChatJob } from './job/read-chat-job.ts'
export { parseJobRequest } from './job/read-job-request.ts'
export { ReplyRecord } from './recovery/reply-record.ts'
export { SealedRecord } from './recovery/sealed-record.ts'
export { TextSum } from './recovery/text-sum.ts'
export { isObject, ProtocolError, type Fields } from './read-fields.ts'
