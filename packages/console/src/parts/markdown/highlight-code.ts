// Highlights code by its language.

import dockerfile from 'highlight.js/lib/languages/dockerfile'
import { common, createLowlight } from 'lowlight'

/** Text, or a part of the code with the class that colors it. */
export type CodePiece = string | { className: string; pieces: CodePiece[] }

export interface SourceCode {
  language: string
  text: string
}

/** Parts that are deeper lose their color. */
export const MOST_CODE_LEVELS = 12
/** Code with more parts stays plain, and so does longer code. */
export const MOST_CODE_PIECES = 20_000
export const MOST_CODE_CHARACTERS = 50_000

const lowlight = createLowlight({ ...common, dockerfile })
lowlight.registerAlias({ javascript: ['jsx'], typescript: ['tsx'] })

/** Undefined if the code stays plain. For some texts, the time grows with the square of their length or worse: call it in a worker. */
export function highlightCode({ language, text }: SourceCode): CodePiece[] | undefined {
  if (text.length > MOST_CODE_CHARACTERS || !lowlight.registered(language)) return undefined
  const count = { pieces: 0 }
  const pieces = readPieces(lowlight.highlight(language, text).children, 0, count)
  return count.pieces > MOST_CODE_PIECES ? undefined : pieces
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

function readPieces(nodes: readonly Node[], level: number, count: { pieces: number }): CodePiece[] {
  if (level === MOST_CODE_LEVELS) return [textOf(nodes)]
  return nodes.flatMap((node) => {
    count.pieces += 1
    if (count.pieces > MOST_CODE_PIECES) return []
    if (node.type === 'text') return node.value
    if (node.type !== 'element') return []
    const { className } = node.properties
    const pieces = readPieces(node.children, level + 1, count)
    return { className: Array.isArray(className) ? className.join(' ') : '', pieces }
  })
}

/** Without recursion: nothing bounds how deep it is. */
function textOf(nodes: readonly Node[]): string {
  const rest = nodes.toReversed()
  let text = ''
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.type === 'text') text += node.value
    if (node.type === 'element') rest.push(...(node.children as Node[]).toReversed())
  }
  return text
}
