// What other packages use of the device app: its state folder, its status, and how it shows that.

export { findCredential, saveCredential } from './state/credential.ts'
export { stateFolder } from './state/folder.ts'
export { readStatus, type DeviceStatus } from './state/status-file.ts'
export { describeLive } from './terminal/describe-status.ts'
