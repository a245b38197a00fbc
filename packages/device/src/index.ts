// The public API for other packages: the state folder, the status of the running app and its description, how people name models, and the
// JSON that commands print.

export type { Recommendations, RecommendedModel } from './commands/models/recommend.ts'
export { CommandError } from '@hearth/command-line/errors'
export { formatBytes } from '@hearth/command-line/format'
export { parseSource } from './models/pull/source.ts'
export { wantsStarter } from './settings/wants-starter.ts'
export { findCredential, saveCredential } from './state/credential.ts'
export type { FoundServer } from './news.ts'
export { addServers } from './settings/added-servers.ts'
export { describeSeen } from './terminal/describe-servers.ts'
export { stateFolder } from './state/folder.ts'
export { LogFile } from './state/log-file.ts'
export { printLog, splitLogLine, type LogOptions } from './state/read-log.ts'
export { readStatus, type DeviceStatus } from './state/status-file.ts'
export { describeDownload } from './terminal/describe-news.ts'
export { describeLive, describeStatus } from './terminal/describe-status.ts'
export { readPullLine, type PullLine, type ReadyModel } from './terminal/json-pull.ts'
