import { Braces } from 'lucide-react'
import type { ComponentProps } from 'react'
import { indentJson } from '../../../lib/indent-json.ts'
import { Button } from '../../../parts/control/button.tsx'
import { TextArea } from '../../../parts/control/field.tsx'

interface JsonFieldProps extends Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange'> {
  value: string
  onChange: (text: string) => void
  /** To start from. A long field has buttons for it. */
  sample?: string
}

/** Text that computers read: typed in a font of fixed width, without a spell checker. */
export function JsonField({ onChange, sample, ...rest }: JsonFieldProps) {
  const { value } = rest
  return (
    <>
      <TextArea className="input json-input" spellCheck={false} onText={onChange} {...rest} />
      {sample !== undefined && (
        <div className="row">
          <Button size="small" icon={Braces} disabled={value.trim() === ''} onClick={() => onChange(indentJson(value))}>
            Format
          </Button>
          <Button size="small" onClick={() => onChange(sample)}>
            Use sample
          </Button>
        </div>
      )}
    </>
  )
}
