import { memo } from 'react'
import { MarkdownText, type MarkdownParts } from './markdown-text.tsx'

/** Documentation that we wrote ourselves, with links that lead where `Link` says. Pictures are left out. */
export const DocText = memo(function DocText({ text, parts }: { text: string; parts: MarkdownParts }) {
  return (
    <div className="markdown">
      <MarkdownText text={text} parts={parts} />
    </div>
  )
})
