import { showOddCharacters, splitOddCharacters } from '../../lib/odd-characters.ts'

interface NameProps {
  text: string
  isStrong?: boolean
  /** One line with an ellipsis before its end, by which long names differ, and the full name on hover. */
  isCut?: boolean
}

/** Characters at the end of a long name that are never cut off. */
const TAIL = 10
const LONG = 28

const ODD =
  'px-[0.25em] mx-px [font:0.75em_var(--font-mono)] text-warn bg-warn-soft rounded-[4px] [unicode-bidi:isolate]'

/** A name that someone else chose: plain text in its own direction, with invisible characters made visible. */
export function Name({ text, isStrong = false, isCut = false }: NameProps) {
  const pieces = splitOddCharacters(text)
  const [only] = pieces
  const isLong = isCut && pieces.length === 1 && only?.isOdd === false && only.text.length > LONG
  return (
    <bdi
      className={`name wrap-anywhere ${isStrong ? 'font-strong' : ''} ${isCut ? 'truncate block min-w-0' : ''}`}
      title={isCut ? showOddCharacters(text) : undefined}
    >
      {pieces.length === 0 && <span className={ODD}>no name</span>}
      {isLong && (
        <>
          {/* Room for the ten characters at the end, also in capitals. */}
          <span className="inline-block max-w-[calc(100%-7em)] overflow-hidden text-ellipsis align-bottom">
            {only.text.slice(0, -TAIL)}
          </span>
          {only.text.slice(-TAIL)}
        </>
      )}
      {(isLong ? [] : pieces).map((piece, index) =>
        piece.isOdd ? (
          <span key={index} className={ODD}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}
