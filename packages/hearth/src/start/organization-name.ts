// The name of the first organization, until its owner chooses another one at the first visit.

import { userInfo } from 'node:os'

/** These say what a machine is for, not who sits in front of it. */
const NOBODY = new Set(
  'root admin administrator user ubuntu debian fedora centos ec2 azureuser opc vagrant docker node pi runner hearth app nobody'.split(
    ' ',
  ),
)
const LONGEST = 24
const FALLBACK = 'My team'

/** "Ada's team" for the login ada.lovelace. */
export function organizationName(login: string | undefined): string {
  const [word = ''] = /^[\p{L}\p{N}]+/u.exec(login ?? '') ?? []
  if (word === '' || NOBODY.has(word.toLowerCase())) return FALLBACK
  const [first = '', ...rest] = Array.from(word).slice(0, LONGEST)
  return `${first.toUpperCase()}${rest.join('')}'s team`
}

/** Undefined if the system has no name for this user, as in some containers. */
export function loginName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
