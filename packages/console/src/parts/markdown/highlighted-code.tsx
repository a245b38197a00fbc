// Colors code by its language. Loaded only when a response contains code in a language it knows.

import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import { memo, useMemo, type ReactNode } from 'react'

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
})
lowlight.registerAlias({ bash: ['sh', 'shell', 'zsh', 'console'], javascript: ['jsx'], typescript: ['tsx'] })

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
