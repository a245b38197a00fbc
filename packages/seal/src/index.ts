// The public API for tests and measurements: the proxy, without the command around it.

export { createProxy, type ProxyOptions } from './proxy/proxy-server.ts'
export { SealCache } from './proxy/seal-cache.ts'
export { sealFolder } from './state/folder.ts'
export { checkTrust } from '@hearth/command-line/trust/check-trust'
