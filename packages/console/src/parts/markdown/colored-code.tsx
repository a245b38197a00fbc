import { memo, useEffect, useState, type ReactNode } from 'react'
import type { CodePiece } from './color-code.ts'
import { Colorist } from './colorist.ts'
import { startColorWorker } from './start-color-worker.ts'

const colorist = new Colorist(startColorWorker)

interface ColoredCodeProps {
  text: string
  language: string
}

/** Code that gets its colors once they are known. While it grows, what was colored keeps its colors. */
export function ColoredCode({ text, language }: ColoredCodeProps) {
  const [colored, setColored] = useState<{ text: string; language: string; pieces: CodePiece[] }>()
  useEffect(() => {
    const change = new AbortController()
    void colorist
      .color({ text, language }, change.signal)
      .then((pieces) => pieces && setColored({ text, language, pieces }))
    return () => change.abort()
  }, [text, language])
  if (colored?.language !== language || !text.startsWith(colored.text)) return text
  return (
    <>
      <Pieces pieces={colored.pieces} />
      {text.slice(colored.text.length)}
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
