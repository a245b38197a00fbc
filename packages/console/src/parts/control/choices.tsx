import { useId } from 'react'
import './choices.css'

interface ChoicesProps<Value extends string> {
  legend: string
  value: Value
  onChange: (value: Value) => void
  choices: readonly (readonly [value: Value, about: { title: string; about: string }])[]
}

/** Picks one of a few options that each need a sentence. */
export function Choices<Value extends string>({ legend, value, onChange, choices }: ChoicesProps<Value>) {
  const id = useId()
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {choices.map(([one, { title, about }]) => (
        <label key={one}>
          <input
            type="radio"
            name={id}
            aria-labelledby={`${id}-${one}`}
            aria-describedby={`${id}-${one}-about`}
            checked={value === one}
            onChange={() => onChange(one)}
          />
          <span>
            <span id={`${id}-${one}`} className="medium">
              {title}
            </span>
            <span id={`${id}-${one}-about`} className="soft small">
              {about}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
