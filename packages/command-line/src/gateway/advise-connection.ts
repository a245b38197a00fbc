// What a person can do if a gateway can't be reached, or if something else answers in its place.

import { CommandError } from '../errors.ts'
import { chooseProxy, describeProxy, type Environment } from './choose-proxy.ts'

const UNKNOWN_AUTHORITY = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]
const WRONG_TIME = ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']

export const TRUST_ADVICE =
  "if your company signs certificates itself, set NODE_EXTRA_CA_CERTS to its authority's file (PEM), or install the authority in this system"

export function adviseConnection(error: unknown, target: URL, environment: Environment, now = new Date()): string {
  const causes = causesOf(error)
  const own = causes.find((each) => each instanceof CommandError)?.advice
  if (own !== undefined) return own
  if (hasCode(causes, UNKNOWN_AUTHORITY)) return TRUST_ADVICE
  if (isWrongTime(error))
    return `check this machine's clock: it says ${now.toISOString()}. If that is right, the certificate has to be renewed`
  const proxy = adviseProxy(target, environment)
  return proxy ?? 'check the address and your network connection; behind a proxy, set HTTPS_PROXY'
}

/** Undefined if it goes there directly. */
export function adviseProxy(target: URL, environment: Environment): string | undefined {
  const proxy = chooseProxy(target, environment)
  if (proxy === undefined) return undefined
  return `${describeProxy(proxy)} leads there. If this machine reaches it without a proxy, add ${target.hostname} to no_proxy`
}

/** Certificates are valid from one time to another, so with a wrong clock none is. */
export function isWrongTime(error: unknown): boolean {
  return hasCode(causesOf(error), WRONG_TIME)
}

function hasCode(causes: readonly Error[], codes: readonly string[]): boolean {
  return causes.some((each) => 'code' in each && codes.includes(String(each.code)))
}

function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  return [error, ...inner.flatMap(causesOf)]
}
