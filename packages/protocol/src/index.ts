// What others may use. docs/protocol.md explains the frames to people who write a device.

// Frames: text from and for the link.
export {
  addBegun,
  addRecovery,
  encodeFrame,
  encodeJobStart,
  joinFrames,
  parseDeviceFrames,
  parseGatewayFrames,
} from './frames/codec.ts'
export {
  CLOSE,
  PROTOCOL_VERSIONS,
  type CancelReason,
  type DeviceFrame,
  type GatewayFrame,
  type Hello,
  type JobAttempt,
  type JobDelta,
  type JobEnd,
  type JobError,
  type JobErrorCode,
  type JobSealed,
  type JobStart,
  type JobStartHead,
  type ProgressPhase,
  type RefuseReason,
} from './frames/frames.ts'
export { readDeviceFrame } from './frames/read-device-frame.ts'
export { isObject, ProtocolError, type Fields } from './read-fields.ts'
export * from './limits.ts'

// A job: its request, what a device needs for it, and what comes of it.
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
export type { ChatEvent, FinishReason, TokenLogprob, UrlCitation, Usage } from './job/chat-event.ts'
export { readClientIds, REQUEST_ID, traceOf, TRACEPARENT, type ClientIds } from './job/client-ids.ts'
export { fieldNeeds, jobNeeds, type Need } from './job/job-fields.ts'
export { parseChatJob, parseJobRequest } from './job/read-chat-job.ts'
export {
  isSealed,
  type BegunAttempt,
  type JobRequest,
  type SealedJob,
  type SealedRequest,
  type WrappedKey,
} from './job/sealed-request.ts'
export { FEATURES, isFeature, type Feature } from './features.ts'

// What a device says about itself, and what the gateway tells it about its models.
export type {
  BackendProblem,
  DeviceBackend,
  DeviceModel,
  ModelPresence,
  ModelSizing,
  Rest,
  RestReason,
} from './device/device-state.ts'
export { joinSlots, splitSlots } from './device/all-slots.ts'
export type { Energy, EnergyPart } from './device/energy.ts'
export {
  DOWNLOAD_STATES,
  isModelRequest,
  type Download,
  type DownloadState,
  type FoundModel,
  type HubModel,
  type KeptModel,
  type Library,
  type ModelProblem,
  type ModelProblemCode,
  type ModelReply,
  type ModelRequest,
  type ModelRequestFrame,
  type Quantization,
} from './device/library.ts'
export { readMachine, type Machine } from './device/machine.ts'
export type { ModelDefaults, SentDefaults } from './device/model-defaults.ts'
export { plainSource, withPlainSources } from './device/plain-source.ts'
export type { PieceWanted, SharedFile, SharedModel } from './device/sharing.ts'

// A reply that another device continues.
export { ReplyRecord } from './recovery/reply-record.ts'
export { SealedRecord } from './recovery/sealed-record.ts'
export { TextSum } from './recovery/text-sum.ts'
