import { showOddCharacters, splitOddCharacters } from '../../lib/odd-characters.ts'
import './name.css'

interface NameProps {
  text: string
  isStrong?: boolean
  /** One line with an ellipsis before its end, by which long names differ, and the full name on hover. */
  isCut?: boolean
}

/** Characters at the end of a long name that are never cut off. */
const TAIL = 10
const LONG = 28

/** A name that someone else chose: plain text in its own direction, with invisible characters made visible. */
export function Name({ text, isStrong = false, isCut = false }: NameProps) {
  const pieces = splitOddCharacters(text)
  const [only] = pieces
  const isLong = isCut && pieces.length === 1 && only?.isOdd === false && only.text.length > LONG
  return (
    <bdi
      className={`name ${isStrong ? 'name-strong' : ''} ${isCut ? 'name-cut' : ''}`}
      title={isCut ? showOddCharacters(text) : undefined}
    >
      {pieces.length === 0 && <span className="odd-character">no name</span>}
      {isLong && (
        <>
          <span className="name-head">{only.text.slice(0, -TAIL)}</span>
          {only.text.slice(-TAIL)}
        </>
      )}
      {(isLong ? [] : pieces).map((piece, index) =>
        piece.isOdd ? (
          <span key={index} className="odd-character">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}
