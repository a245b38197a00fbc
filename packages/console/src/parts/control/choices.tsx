import { useId } from 'react'

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
    <fieldset className="grid gap-7.5 [&_label>span]:grid">
      <legend className="mb-3.5 font-medium">{legend}</legend>
      {choices.map(([one, { title, about }]) => (
        <label className="grid grid-cols-[auto_1fr] gap-6 items-start" key={one}>
          <input
            className="size-10.5 mx-0 mt-1.5 mb-0"
            type="radio"
            name={id}
            aria-labelledby={`${id}-${one}`}
            aria-describedby={`${id}-${one}-about`}
            checked={value === one}
            onChange={() => onChange(one)}
          />
          <span>
            <span id={`${id}-${one}`} className="font-medium">
              {title}
            </span>
            <span id={`${id}-${one}-about`} className="text-soft text-small">
              {about}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
