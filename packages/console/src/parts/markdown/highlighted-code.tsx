// Colors code by its language. Loaded only when a response contains code in a language it knows.

import dockerfile from 'highlight.js/lib/languages/dockerfile'
import { common, createLowlight } from 'lowlight'
import { memo, useMemo, type ReactNode } from 'react'

const lowlight = createLowlight({ ...common, dockerfile })
lowlight.registerAlias({ javascript: ['jsx'], typescript: ['tsx'] })

/** Longer code stays plain, because coloring it would stall the page. */
const MOST_CHARACTERS = 50_000

interface HighlightedCodeProps {
  text: string
  language: string
}

export const HighlightedCode = memo(function HighlightedCode({ text, language }: HighlightedCodeProps) {
  const tree = useMemo(() => {
    if (text.length > MOST_CHARACTERS || !lowlight.registered(language)) return undefined
    return lowlight.highlight(language, text)
  }, [text, language])
  return tree === undefined ? text : tree.children.map(showNode)
})

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

function showNode(node: Node, index: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const { className } = node.properties
  return (
    <span key={index} className={Array.isArray(className) ? className.join(' ') : ''}>
      {node.children.map((child, place) => showNode(child as Node, place))}
    </span>
  )
}
