import type { KeySource } from './key-source.ts'

const LOST = 'If it is lost, see "hearth admin secret start-over --help"'

/** Says which key is missing, and how to bring it back. */
export function describeOtherKey(source: KeySource, id: string): string {
  const fact = `secrets in the database are encrypted with the key ${id}`
  switch (source.kind) {
    case 'setting':
      return `${fact}, and SESSION_SECRET is another one. Set SESSION_SECRET to the value that the other gateways have, or had before, and restart. ${LOST}`
    case 'file':
      return `${fact}, which is not in ${source.file.path}. Put the key file of this database back from your backup, or set SESSION_SECRET to the value that it had before, and restart. ${LOST}`
    case 'none':
      return `${fact}. Set SESSION_SECRET to the value that the other gateways have, or had before, and restart. ${LOST}`
    default:
      return source satisfies never
  }
}
