import { Braces } from 'lucide-react'
import type { ComponentProps } from 'react'
import { indentJson } from '../../../lib/indent-json.ts'
import { Button } from '../../../parts/control/button.tsx'
import { TextArea } from '../../../parts/control/field.tsx'

interface JsonFieldProps extends Omit<ComponentProps<typeof TextArea>, 'value' | 'onText'> {
  value: string
  onText: (text: string) => void
  /** To start from. A long field has buttons for it. */
  sample?: string
}

/** Text that computers read: typed in a font of fixed width, without a spell checker. */
export function JsonField({ sample, ...rest }: JsonFieldProps) {
  const { value, onText } = rest
  return (
    <>
      <TextArea className="input font-mono text-small [tab-size:2]" spellCheck={false} {...rest} />
      {sample !== undefined && (
        <div className="row">
          <Button size="small" icon={Braces} disabled={value.trim() === ''} onClick={() => onText(indentJson(value))}>
            Format
          </Button>
          <Button size="small" onClick={() => onText(sample)}>
            Use sample
          </Button>
        </div>
      )}
    </>
  )
}
