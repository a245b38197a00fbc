import { ApiError } from '@hearth/chat'
import type { KeyChoice, KeyLimits } from '../../store/keys/key-rows.ts'
import { organizationOf, ownOnly, type ConsoleContext } from '../console.ts'

/** Members reach only the keys they created. */
export function choiceOf(context: ConsoleContext, { key }: { key: string }): KeyChoice {
  return { organization: organizationOf(context), key, ...ownOnly(context) }
}

export function requireFuture(moment: string | null | undefined, field: string): void {
  if (typeof moment === 'string' && Date.parse(moment) <= Date.now())
    throw new ApiError('invalid_value', `Invalid '${field}': it is in the past.`, field)
}

export function dropAbsent(limits: { [Name in keyof KeyLimits]: KeyLimits[Name] | undefined }): KeyLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
