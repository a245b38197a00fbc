import { memo, useEffect, useState, type ReactNode } from 'react'
import type { CodePiece } from './highlight-code.ts'
import { Highlighter } from './highlighter.ts'
import { startHighlightWorker } from './start-highlight-worker.ts'

const highlighter = new Highlighter(startHighlightWorker)

interface HighlightedCodeProps {
  text: string
  language: string
}

/** Code that gets its colors once they are known. While it grows, what was highlighted keeps its colors. */
export function HighlightedCode({ text, language }: HighlightedCodeProps) {
  const [highlighted, setHighlighted] = useState<{ text: string; language: string; pieces: CodePiece[] }>()
  useEffect(() => {
    const change = new AbortController()
    void highlighter
      .highlight({ text, language }, change.signal)
      .then((pieces) => pieces && setHighlighted({ text, language, pieces }))
    return () => change.abort()
  }, [text, language])
  if (highlighted?.language !== language || !text.startsWith(highlighted.text)) return text
  return (
    <>
      <Pieces pieces={highlighted.pieces} />
      {text.slice(highlighted.text.length)}
    </>
  )
}

const Pieces = memo(function Pieces({ pieces }: { pieces: readonly CodePiece[] }): ReactNode {
  return pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={index} className={piece.className}>
        <Pieces pieces={piece.pieces} />
      </span>
    ),
  )
})
