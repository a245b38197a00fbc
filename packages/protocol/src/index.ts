export type { ChatEvent, FinishReason, TokenLogprob, UrlCitation, Usage } from './chat-event.ts'
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
} from './chat-job.ts'
export { addRecovery, encodeFrame, encodeJobStart, joinFrames, parseDeviceFrames, parseGatewayFrames } from './codec.ts'
export { FEATURES, isFeature, type Feature } from './features.ts'
export { CLOSE, PROTOCOL_VERSIONS } from './frames.ts'
export type {
  BackendProblem,
  CancelReason,
  DeviceBackend,
  DeviceFrame,
  DeviceModel,
  GatewayFrame,
  Hello,
  JobAttempt,
  JobDelta,
  JobError,
  JobErrorCode,
  JobStart,
  JobStartHead,
  ModelPresence,
  ModelSizing,
  ProgressPhase,
  RefuseReason,
  Rest,
  RestReason,
} from './frames.ts'
export type { PieceWanted, SharedFile, SharedModel } from './sharing.ts'
export { readMachine, type Machine } from './machine.ts'
export type { ModelDefaults } from './model-defaults.ts'
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
} from './library.ts'
export { DOWNLOAD_STATES } from './library.ts'
export type { Need } from './job-fields.ts'
export { fieldNeeds, jobNeeds } from './job-needs.ts'
export * from './limits.ts'
export { parseChatJob } from './read-chat-job.ts'
export { ReplyRecord } from './reply-record.ts'
export { TextSum } from './text-sum.ts'
export { isObject, ProtocolError, type Fields } from './read-fields.ts'
