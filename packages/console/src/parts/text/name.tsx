import { showOddCharacters, splitOddCharacters } from '../../lib/odd-characters.ts'
import './name.css'

interface NameProps {
  text: string
  isStrong?: boolean
  /** One line with an ellipsis, and the full name on hover. */
  isCut?: boolean
}

/** A name that someone else chose: plain text in its own direction, with invisible characters made visible. */
export function Name({ text, isStrong = false, isCut = false }: NameProps) {
  const pieces = splitOddCharacters(text)
  return (
    <bdi
      className={`name ${isStrong ? 'name-strong' : ''} ${isCut ? 'name-cut' : ''}`}
      title={isCut ? showOddCharacters(text) : undefined}
    >
      {pieces.length === 0 && <span className="odd-character">no name</span>}
      {pieces.map((piece, index) =>
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
