// The device app's public API: a device to run inside another program, and its building blocks.

export { systemClock, type Clock } from './clock.ts'
export { createDevice, type Device, type DeviceOptions, type Identity } from './device.ts'
export { EngineError, type Engine, type EngineChange, type EngineProgress } from './engines/engine.ts'
export { createLlamaEngine } from './engines/llama/llama-engine.ts'
export type { LlamaModelOptions, LlamaOptions } from './engines/llama/llama-options.ts'
export { DeviceError } from './errors.ts'
export { readGgufHeader, type GgufHeader } from './models/gguf-header.ts'
export type { DeviceNews, JobCounts, LinkState } from './news.ts'
export { findCredential, saveCredential } from './state/credential.ts'
export { stateFolder } from './state/folder.ts'
export { readStatus, type DeviceStatus } from './state/status-file.ts'
export { describeLive } from './terminal/describe-status.ts'
