// Changes bytes in a few random places. Bytes are strings with one character per byte.

import type { Random } from '@hearth/gateway/testing'

const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\u00FF',
  ' ',
  ':',
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  '\\u0000',
  'HTTP/1.1',
  '0\r\n\r\n',
]

export function mutateBytes(bytes: string, random: Random, changes: number): string {
  let result = bytes
  for (let change = 0; change < changes; change++) result = mutateOnce(result, random)
  return result
}

function mutateOnce(bytes: string, random: Random): string {
  const at = random.between(0, bytes.length)
  const length = random.between(1, random.pick([1, 4, 64]))
  const before = bytes.slice(0, at)
  const after = bytes.slice(at)
  return random.pick([
    () => before + String.fromCharCode(random.between(0, 255)) + after.slice(1),
    () => before + random.pick(TOKENS) + after,
    () => before + after.slice(length),
    () => before + after.slice(0, length).repeat(random.pick([2, 3, 50])) + after.slice(length),
    () => before,
    () => before + Array.from({ length }, () => String.fromCharCode(random.between(0, 255))).join('') + after,
  ])()
}
