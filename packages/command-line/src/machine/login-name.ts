// The account that a program runs under, if its name says who sits in front of the machine.

import { userInfo } from 'node:os'

/** These say what a machine is for. */
const NOBODY =
  /^(root|admin|administrator|user|ubuntu|debian|fedora|centos|ec2|azureuser|opc|vagrant|docker|node|pi|runner|hearth|app|nobody|guest|default|system)$/i
const LONGEST = 24

/** "Ada" for the login ada.lovelace. */
export function personOf(login: string): string | undefined {
  const [word = ''] = /^[\p{L}\p{N}]+/u.exec(login) ?? []
  if (word === '' || NOBODY.test(word)) return undefined
  const [first = '', ...rest] = Array.from(word).slice(0, LONGEST)
  return `${first.toUpperCase()}${rest.join('')}`
}

/** Empty for an account without an entry, as in some containers. */
export function loginName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
