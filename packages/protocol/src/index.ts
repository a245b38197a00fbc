export type { ChatEvent, FinishReason, TokenLogprob, UrlCitation, Usage } from './chat-event.ts'
export type { ChatJob, JobMessage, JobTool, JsonSchema, ResponseFormat, ToolCall, WebSearch } from './chat-job.ts'
export { encodeFrame, joinFrames, parseDeviceFrames, parseGatewayFrames } from './codec.ts'
export { FEATURES, isFeature, type Feature } from './features.ts'
export { CLOSE, PROTOCOL_VERSIONS } from './frames.ts'
export type {
  CancelReason,
  DeviceFrame,
  DeviceModel,
  Download,
  GatewayFrame,
  Hello,
  JobAttempt,
  JobDelta,
  JobError,
  JobErrorCode,
  JobStart,
  ProgressPhase,
  RefuseReason,
} from './frames.ts'
export * from './limits.ts'
export { isObject, ProtocolError, type Fields } from './read-fields.ts'
export { parseChatJob } from './read-gateway-frame.ts'
