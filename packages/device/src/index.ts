// The public API for other packages: the state folder, the status of the running app and its description, and how people name models.

export { DeviceError } from './errors.ts'
export { parseSource } from './models/pull/source.ts'
export { findCredential, saveCredential } from './state/credential.ts'
export { stateFolder } from './state/folder.ts'
export { readStatus, type DeviceStatus } from './state/status-file.ts'
export { describeLive, describeStatus } from './terminal/describe-status.ts'
